// expects: sound
package bridges;

public class Main {
    static abstract class Box<T> { abstract T get(); abstract void set(T value); }
    static class Text extends Box<String> {
        private String text = "";
        @Override String get() { return text; }
        @Override void set(String value) { text = value; }
    }

    public static void main(String[] args) {
        Box<String> box = new Text();
        box.set("bridged");
        System.out.println(box.get());
    }
}
