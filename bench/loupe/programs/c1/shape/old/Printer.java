package shape;

/** Says how large a square is. */
public class Printer {
    public void print(Rectangle rectangle) {
        System.out.println("size " + rectangle.size());
    }
}
