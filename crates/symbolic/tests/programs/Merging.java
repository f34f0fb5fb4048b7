/** Paths that fork and meet again. */
public class Merging {
    static int counted;

    static int positive(int a, int b, int c, int d, int e, int f, int g, int h) {
        int n = 0;
        if (a > 0) n++;
        if (b > 0) n++;
        if (c > 0) n++;
        if (d > 0) n++;
        if (e > 0) n++;
        if (f > 0) n++;
        if (g > 0) n++;
        if (h > 0) n++;
        assert n != 5;
        return n;
    }

    static int heap(boolean[] flags) {
        int[] counts = new int[2];
        for (boolean flag : flags) {
            if (flag) counts[0]++;
            else counts[1] += 2;
        }
        return counts[0] + counts[1];
    }

    static int statics(int a, int b) {
        counted = 0;
        if (a > 3 && b > 3) counted += 10;
        if (a > b) counted++;
        return counted;
    }

    static int objects(int a) {
        Object chosen = a > 0 ? "text" : Integer.valueOf(3);
        return chosen instanceof String ? 1 : 2;
    }

    static int leaving(int a, int b) {
        for (int i = 0; i < 4; i++) {
            if (a == i) return i * 100;
            if (b == i) throw new IllegalStateException("at " + i);
        }
        return -1;
    }

    static int sign(int a) {
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    }

    static int printing(int a) {
        if (a > 0) System.out.println("large");
        else System.out.println("small");
        return a > 0 ? 1 : 0;
    }

    static int switching(int a) {
        int price;
        switch (a) {
            case 1: price = 10; break;
            case 2: price = 25; break;
            case 7: price = 3; break;
            default: price = 0;
        }
        return price * 2;
    }
}
