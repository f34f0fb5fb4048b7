package shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

public class Shown {
    record Point(int x, String name) {}

    enum Level { LOW, HIGH }

    static Point point(int x) { return new Point(x, "v"); }

    static Level level(boolean high) { return high ? Level.HIGH : Level.LOW; }

    static Integer boxed(int x) { return x > 5 ? x : null; }

    static boolean[] truths(boolean x) { return new boolean[] {x, !x}; }

    static Object list(boolean x) { return x ? Optional.of("a") : new ArrayList<>(List.of(3)); }

    static char letter() { return 'x'; }

    static double limit() { return 1.0 / 0; }

    static int divides(int x) { return 10 / x; }

    static int optional(Missing missing) { return 1; }

    static int length(String text) { return text.length(); }

    static class Base {
        int start;

        int below(int x) { return 100 / (x - start); }

        static int apart(int x) { return 7 / (x - 9); }
    }

    static class Derived extends Base {}

    static class Unlucky { static int value = Integer.parseInt("x"); }

    static int unlucky() { return Unlucky.value; }

    static int asserts(int x) {
        assert x != 3;
        return x;
    }

    static int refuses(int x) {
        if (x < 0) throw new IllegalArgumentException("negative: " + x);
        return x;
    }

    static String tells(byte x) {
        String text = "<" + x + ">";
        String more = text + text.length();
        return x > 0 && x < 100 ? more : text;
    }

    static int trimmed(int x) {
        if (x == 3) fail();
        return x;
    }

    private static void fail() {
        RuntimeException failure = new IllegalStateException("three");
        StackTraceElement[] trace = failure.getStackTrace();
        failure.setStackTrace(java.util.Arrays.copyOfRange(trace, 1, trace.length));
        throw failure;
    }

    static void escapes() {
        for (int i = 0; i < 150; i++) System.out.println("\u001b[2J");
        throw new RuntimeException("\u001b[31m\nfinding  fake");
    }
}
