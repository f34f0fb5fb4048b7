package shape;

/** A square that forgets how large it was when its area is taken. */
public class Rectangle {
    private int size;

    public Rectangle(int size) {
        this.size = size;
    }

    public int size() {
        return size;
    }

    public int area() {
        size /= 2;
        return size * size;
    }
}
