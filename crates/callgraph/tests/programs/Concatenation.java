// Concatenating an object calls its `toString`.
// weakness: no-string-concatenation
// loses: Concatenation.toString:()Ljava/lang/String;
public class Concatenation {
    public static void main(String[] arguments) {
        String text = "<" + new Concatenation() + ">";
    }
    @Override public String toString() { return "text"; }
}
