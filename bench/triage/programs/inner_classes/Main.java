// expects: sound
package inner_classes;

public class Main {
    private int count;
    class Counter { void next() { count++; inner(); } class Deep { int get() { return count; } } Deep deep() { return new Deep(); } }
    void inner() { }

    public static void main(String[] args) {
        Main main = new Main();
        Counter counter = main.new Counter();
        counter.next();
        System.out.println(counter.deep().get());
    }
}
