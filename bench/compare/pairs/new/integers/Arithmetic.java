package integers;

/** Sums, products, quotients and bits. */
public class Arithmetic {
    private Arithmetic() {}

    public static int timesEight(int x) {
        return x << 3;
    }

    public static int divideByEight(int x) {
        return x >> 3;
    }

    public static int divideByEightFixed(int x) {
        return (x + ((x >> 31) & 7)) >> 3;
    }

    public static boolean isOdd(int x) {
        return x % 2 == 1;
    }

    public static boolean isOddEitherWay(int x) {
        return (x & 1) != 0;
    }

    public static int middle(int low, int high) {
        if (low < 0 || high < low) {
            return -1;
        }
        return (low + high) / 2;
    }

    public static int middleUnsigned(int low, int high) {
        if (low < 0 || high < low) {
            return -1;
        }
        return (low + high) >>> 1;
    }

    public static int absolute(int x) {
        return Math.abs(x);
    }

    public static int bucket(int hash) {
        return Math.abs(hash) % 10;
    }

    public static boolean signOfDifference(int a, int b) {
        return a - b < 0;
    }

    public static long productWide(int a, int b) {
        return (long) (a * b);
    }

    public static int productNarrow(int a, int b) {
        return (int) ((long) a * (long) b);
    }

    public static int signedByte(int x) {
        return ((x & 0xff) ^ 0x80) - 0x80;
    }

    public static int roundUp(int x) {
        if (x < 0) {
            return -1;
        }
        return (x + 7) / 8 * 8;
    }

    public static int swap(int a, int b) {
        a ^= b;
        b ^= a;
        a ^= b;
        return a - 3 * b;
    }

    public static boolean isPowerOfTwo(int x) {
        return Integer.bitCount(x) == 1;
    }

    public static int bits(int x) {
        x -= (x >>> 1) & 0x55555555;
        x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
        x = (x + (x >>> 4)) & 0x0f0f0f0f;
        return (x * 0x01010101) >>> 24;
    }

    public static int distribute(int a, int b, int c) {
        return a * (b + c);
    }

    public static int quotientOfSum(int a, int b) {
        return (int) (((long) a + b) / 2);
    }

    public static int averageBits(int a, int b) {
        return (a & b) + ((a ^ b) >> 1);
    }

    public static int divideOrZero(int a, int b) {
        return a / b;
    }

    public static int divideChecked(int a, int b) {
        if (b == 0) {
            throw new ArithmeticException("/ by zero");
        }
        return b == -1 ? -a : a / b;
    }

    public static int refuse(int age) {
        if (age < 0) {
            throw new IllegalArgumentException("age " + age + " is negative");
        }
        return age;
    }
}
