// What is concatenated is asked for its text.
// weakness: no-string-concatenation
// loses: Concatenation.toString:()Ljava/lang/String;
public class Concatenation {
    public static void main(String[] arguments) {
        String text = "<" + new Concatenation() + ">";
    }
    @Override public String toString() { return "text"; }
}
