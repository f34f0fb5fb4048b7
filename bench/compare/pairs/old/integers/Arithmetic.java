package integers;

/** Sums, products, quotients and bits. */
public class Arithmetic {
    private Arithmetic() {}

    public static int timesEight(int x) {
        return x * 8;
    }

    public static int divideByEight(int x) {
        return x / 8;
    }

    public static int divideByEightFixed(int x) {
        return x / 8;
    }

    public static boolean isOdd(int x) {
        return (x & 1) == 1;
    }

    public static boolean isOddEitherWay(int x) {
        return x % 2 != 0;
    }

    public static int middle(int low, int high) {
        if (low < 0 || high < low) {
            return -1;
        }
        return low + (high - low) / 2;
    }

    public static int middleUnsigned(int low, int high) {
        if (low < 0 || high < low) {
            return -1;
        }
        return low + (high - low) / 2;
    }

    public static int absolute(int x) {
        return x < 0 ? -x : x;
    }

    public static int bucket(int hash) {
        return Math.floorMod(Math.abs(hash), 10);
    }

    public static boolean signOfDifference(int a, int b) {
        return a < b;
    }

    public static long productWide(int a, int b) {
        return (long) a * b;
    }

    public static int productNarrow(int a, int b) {
        return a * b;
    }

    public static int signedByte(int x) {
        return (byte) x;
    }

    public static int roundUp(int x) {
        if (x < 0) {
            return -1;
        }
        return (x + 7) & ~7;
    }

    public static int swap(int a, int b) {
        int kept = a;
        a = b;
        b = kept;
        return a - 3 * b;
    }

    public static boolean isPowerOfTwo(int x) {
        return x > 0 && (x & (x - 1)) == 0;
    }

    public static int bits(int x) {
        int count = 0;
        while (x != 0) {
            count += x & 1;
            x >>>= 1;
        }
        return count;
    }

    public static int distribute(int a, int b, int c) {
        return a * b + a * c;
    }

    public static int quotientOfSum(int a, int b) {
        return a / 2 + b / 2;
    }

    public static int averageBits(int a, int b) {
        return (int) (((long) a + b) >> 1);
    }

    public static int divideOrZero(int a, int b) {
        return b == 0 ? 0 : a / b;
    }

    public static int divideChecked(int a, int b) {
        return a / b;
    }

    public static int refuse(int age) {
        if (age < 0) {
            throw new IllegalArgumentException("negative age " + age);
        }
        return age;
    }
}
