// expects: sound
package interface_diamond;

public class Main {
    interface Top { default String who() { return "top"; } }
    interface Left extends Top { @Override default String who() { return "left " + Top.super.who(); } }
    interface Right extends Top { }
    static class Bottom implements Left, Right { }

    public static void main(String[] args) {
        Right right = new Bottom();
        System.out.println(right.who());
    }
}
