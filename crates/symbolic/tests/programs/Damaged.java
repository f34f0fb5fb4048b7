import java.util.function.IntUnaryOperator;

/** A class with a bit of everything, whose bytes a test damages. */
public class Damaged implements Comparable<Damaged> {
    static final int[] TABLE = {3, 1, 2};
    static long total = 1L << 33;
    final double weight;
    Damaged next;

    Damaged(double weight) {
        this.weight = weight;
    }

    public int compareTo(Damaged other) {
        return weight < other.weight ? -1 : weight > other.weight ? 1 : 0;
    }

    static int arithmetic() {
        int a = 7;
        long b = a * 3L;
        float c = b / 2f;
        double d = c % 1.5;
        for (int i = 0; i < 5; i++) {
            a += (i << 2) ^ (int) d;
            b = -b >>> 1;
        }
        return a + (int) b + (byte) a + (short) b + (char) a;
    }

    static int arrays() {
        int[][] grid = new int[3][4];
        Object[] objects = {"a", 1, grid};
        grid[1][2] = TABLE[0];
        int sum = 0;
        for (int[] row : grid) {
            for (int cell : row) {
                sum += cell;
            }
        }
        return sum + objects.length + (objects[2] instanceof int[][] same ? same.length : 0);
    }

    static int exceptions(int n) {
        try {
            return TABLE[n] / (n - 1);
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            return -1;
        } finally {
            total++;
        }
    }

    static int objects() {
        Damaged first = new Damaged(1.5);
        first.next = new Damaged(2.5);
        Comparable<Damaged> comparable = first;
        synchronized (first) {
            return comparable.compareTo(first.next) + exceptions(0) + exceptions(1) + exceptions(5);
        }
    }

    static int lambdas() {
        int captured = TABLE[1];
        IntUnaryOperator operator = x -> x + captured;
        return operator.andThen(Math::abs).applyAsInt(-9);
    }

    static int switches() {
        int result = 0;
        for (String word : new String[] {"one", "two", "three"}) {
            switch (word) {
                case "one": result += 1; break;
                case "two": result += 2;
                default: result *= 3;
            }
            result += switch (result) { case 1 -> 5; case 2, 3 -> 6; case 1000 -> 7; default -> 8; };
        }
        return result;
    }
}
