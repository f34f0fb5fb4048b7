package shop;

import java.util.ArrayList;
import java.util.List;

public class Hostile {
    static int exits(int a) {
        if (a == 5) System.exit(7);
        return 1;
    }

    static void threads() {
        new Thread(() -> {}).start();
    }

    static int reads() throws java.io.IOException {
        return System.in.read();
    }

    static int loops(int a) {
        while (a == 3) {}
        return a;
    }

    static int recurses(int a) {
        return recurses(a + 1) + 1;
    }

    static int allocates() {
        List<int[]> kept = new ArrayList<>();
        while (true) kept.add(new int[1 << 25]);
    }

    static int huge() {
        return new int[Integer.MAX_VALUE].length;
    }

    static int fails(int a) {
        for (int i = 0; i < 5; i++) if (a == i) throw new IllegalStateException("fails");
        return 0;
    }

    static void starts() throws java.io.IOException {
        new ProcessBuilder("sleep", "29417").start();
    }

    static class Unfit {
        Unfit(int a) { if (a > 0) Missing.twice(a); }
    }

    static int given(Unfit unfit) {
        return 1;
    }

    static int needs(int a) {
        return a == 0 ? 0 : Missing.twice(a);
    }

    static int secret(int a) {
        if (a * 31 + 7 == 123456789) throw new IllegalStateException("secret");
        return 0;
    }

    static int asks() {
        int a = lapidary.Symbolic.newInt();
        lapidary.Symbolic.assume(a < 1000);
        return 10 / (a & 1);
    }

    static int factors(long a, long b) {
        if (a > 1 && b > 1 && a < 1L << 32 && b < 1L << 32 && a * b == 2147483647L * 2147483629L) return 1;
        return 0;
    }

    static class Tree {
        Tree left, right;
    }

    static int leaves(Tree tree) {
        return tree == null ? 1 : 2;
    }
}

class Missing {
    static int twice(int a) {
        return 2 * a;
    }
}

class Orphan extends Missing {
    static int nothing() {
        return 0;
    }
}
