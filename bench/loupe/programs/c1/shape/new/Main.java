package shape;

/** Prints a square. */
public class Main {
    public static int run(int size) {
        Rectangle rectangle = new Rectangle(size);
        new Printer().print(rectangle);
        return rectangle.size();
    }
}
