// Printing an object calls its `toString`.
// needs: the whole library
// weakness: no-printed-objects
// loses: Printing.toString:()Ljava/lang/String;
public class Printing {
    public static void main(String[] arguments) {
        new java.io.PrintStream(java.io.OutputStream.nullOutputStream()).println(new Printing());
    }
    @Override public String toString() { return "printed"; }
}
