// expects: bug no-inherited-interfaces (inherited interface)
package inherited_interface;

public class Main {
    interface Shape { int area(); }

    static abstract class Base implements Shape { }

    static class Square extends Base {
        @Override public int area() { return 4; }
    }

    public static void main(String[] args) {
        Shape shape = new Square();
        System.out.println(shape.area());
    }
}
