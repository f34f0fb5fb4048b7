package shape;

/** Says how large a square is, and its area. */
public class Printer {
    public void print(Rectangle rectangle) {
        System.out.println("area " + rectangle.area());
        System.out.println("size " + rectangle.size());
    }
}
