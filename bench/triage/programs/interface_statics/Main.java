// expects: sound
package interface_statics;

public class Main {
    interface Tools {
        static int twice(int value) { return helper(value) * 2; }
        private static int helper(int value) { return value; }
        default int thrice(int value) { return mine(value) * 3; }
        private int mine(int value) { return value; }
    }

    public static void main(String[] args) { System.out.println(Tools.twice(2) + new Tools() { }.thrice(1)); }
}
