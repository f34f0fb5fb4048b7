// The methods of a record call those of its components.
// weakness: no-record-methods
// loses: Records$Component.toString:()Ljava/lang/String; Records$Component.hashCode:()I Records$Component.equals:(Ljava/lang/Object;)Z
public class Records {
    public static void main(String[] arguments) {
        Pair one = new Pair(new Component(), 1), other = new Pair(new Component(), 1);
        one.toString();
        one.hashCode();
        one.equals(other);
        one.left();
    }
    record Pair(Component left, int right) {}
    static class Component {
        @Override public String toString() { return "component"; }
        @Override public int hashCode() { return 1; }
        @Override public boolean equals(Object other) { return true; }
    }
}
