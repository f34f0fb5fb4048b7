// The JVM copies elements of arrays.
// weakness: no-array-copies
// loses: ArrayCopies.run:()V
public class ArrayCopies {
    public static void main(String[] arguments) {
        Object[] from = { new ArrayCopies() };
        ArrayCopies[] to = new ArrayCopies[1];
        System.arraycopy(from, 0, to, 0, 1);
        to[0].run();
    }
    void run() {}
}
