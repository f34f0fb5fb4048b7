// expects: sound
package varargs;

public class Main {
    public static void main(String[] args) { System.out.println(sum(1, 2, 3) + sum() + text("a", "b")); }

    static int sum(int... values) { int sum = 0; for (int value : values) sum += value; return sum; }
    static String text(Object... values) { return String.format("%s%s", values); }
}
