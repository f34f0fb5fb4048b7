// expects: bug no-array-copies (direct call)
package array_copy;

public class Main {
    static class Coin {
        int value() { return 5; }
    }

    public static void main(String[] args) {
        Coin[] from = { new Coin() };
        Object[] to = new Object[1];
        System.arraycopy(from, 0, to, 0, 1);
        System.out.println(((Coin) to[0]).value());
    }
}
