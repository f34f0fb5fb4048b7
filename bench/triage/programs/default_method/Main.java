// expects: bug no-default-methods (default method)
package default_method;

public class Main {
    interface Greeter {
        default void greet() { System.out.println("hello"); }
    }

    static class Plain implements Greeter { }

    public static void main(String[] args) {
        Greeter greeter = new Plain();
        greeter.greet();
    }
}
