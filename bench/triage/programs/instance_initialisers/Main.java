// expects: sound
package instance_initialisers;

public class Main {
    int value;
    { value = seed(); }
    Main() { value++; }
    static int seed() { return 41; }

    public static void main(String[] args) { System.out.println(new Main().value); }
}
