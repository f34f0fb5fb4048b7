// expects: sound
package sealed_types;

public class Main {
    sealed interface Shape permits Circle, Square { }
    record Circle(double radius) implements Shape { }
    record Square(double side) implements Shape { }

    static double area(Shape shape) {
        if (shape instanceof Circle circle) return circle.radius() * 3;
        if (shape instanceof Square square) return square.side() * square.side();
        return 0;
    }

    public static void main(String[] args) { System.out.println(area(new Circle(1)) + area(new Square(2))); }
}
