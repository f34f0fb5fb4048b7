// expects: bug no-class-initialisers (class initialiser)
package class_initialiser;

public class Main {
    static class Constants {
        static final Object ONE = make();
        static Object make() { return new Object(); }
    }

    public static void main(String[] args) { System.out.println(Constants.ONE != null); }
}
