package floats;

/** Numbers that are rounded, and those that are none. */
public class Doubles {
    private Doubles() {}

    public static double sumOfThree(double a, double b, double c) {
        return a + (b + c);
    }

    public static double sumOfTwo(double a, double b) {
        return b + a;
    }

    public static double half(double x) {
        return x * 0.5;
    }

    public static double third(double x) {
        return x * (1.0 / 3);
    }

    public static double twice(double x) {
        return x + x;
    }

    public static double minus(double a, double b) {
        return a + -b;
    }

    public static double minusTurned(double a, double b) {
        return -(b - a);
    }

    public static boolean notLess(double a, double b) {
        return a >= b;
    }

    public static boolean notLessChecked(double a, double b) {
        return a >= b || Double.isNaN(a) || Double.isNaN(b);
    }

    public static double absolute(double x) {
        return x < 0 ? -x : x;
    }

    public static double absoluteFixed(double x) {
        return x <= 0 ? 0.0 - x : x;
    }

    public static double larger(double a, double b) {
        return a > b ? a : b;
    }

    public static double largerFixed(double a, double b) {
        if (a != a || b != b) {
            return Double.NaN;
        }
        if (a == 0 && b == 0) {
            return a + b;
        }
        return a >= b ? a : b;
    }

    public static double unit(double x) {
        return x < 0 ? 0 : x > 1 ? 1 : x;
    }

    public static long round(double x) {
        return (long) Math.floor(x + 0.5);
    }

    public static double toEven(double x) {
        return Math.rint(x);
    }

    public static int truncate(double x) {
        return (int) (long) x;
    }

    public static int truncateSmall(double x) {
        return x > -1000 && x < 1000 ? (int) (long) x : 0;
    }

    public static boolean sameNumber(double a, double b) {
        return Double.compare(a, b) == 0;
    }

    public static boolean isNumber(double x) {
        return x == x;
    }

    public static boolean isFinite(double x) {
        return x - x == 0;
    }

    public static double average(double a, double b) {
        return (a + b) / 2;
    }

    public static double fahrenheit(double celsius) {
        return celsius * 1.8 + 32;
    }

    public static double horner(double x, double a, double b) {
        return (a * x + b) * x;
    }

    public static double secret(double x) {
        return x == 1234.5678 ? x : x + 1;
    }

    public static double tenths(int n) {
        if (n < 0 || n > 20) {
            return 0;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 0.1;
        }
        return sum;
    }

    public static double quarters(int n) {
        if (n < 0 || n > 20) {
            return 0;
        }
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 0.25;
        }
        return sum;
    }

    public static int throughDouble(int x) {
        return (int) (double) x;
    }

    public static int throughFloat(int x) {
        return (int) (float) x;
    }

    public static float floatSum(float a, float b) {
        return (float) ((double) a + (double) b);
    }

    public static float floatSumOfThree(float a, float b, float c) {
        return (float) ((double) a + (double) b + (double) c);
    }
}
