package floats;

/** Numbers that are rounded, and those that are none. */
public class Doubles {
    private Doubles() {}

    public static double sumOfThree(double a, double b, double c) {
        return (a + b) + c;
    }

    public static double sumOfTwo(double a, double b) {
        return a + b;
    }

    public static double half(double x) {
        return x / 2;
    }

    public static double third(double x) {
        return x / 3;
    }

    public static double twice(double x) {
        return 2 * x;
    }

    public static double minus(double a, double b) {
        return a - b;
    }

    public static double minusTurned(double a, double b) {
        return a - b;
    }

    public static boolean notLess(double a, double b) {
        return !(a < b);
    }

    public static boolean notLessChecked(double a, double b) {
        return !(a < b);
    }

    public static double absolute(double x) {
        return Math.abs(x);
    }

    public static double absoluteFixed(double x) {
        return Math.abs(x);
    }

    public static double larger(double a, double b) {
        return Math.max(a, b);
    }

    public static double largerFixed(double a, double b) {
        return Math.max(a, b);
    }

    public static double unit(double x) {
        return Math.min(1, Math.max(0, x));
    }

    public static long round(double x) {
        return Math.round(x);
    }

    public static double toEven(double x) {
        return Math.floor(x + 0.5);
    }

    public static int truncate(double x) {
        return (int) x;
    }

    public static int truncateSmall(double x) {
        return x > -1000 && x < 1000 ? (int) x : 0;
    }

    public static boolean sameNumber(double a, double b) {
        return a == b;
    }

    public static boolean isNumber(double x) {
        return !Double.isNaN(x);
    }

    public static boolean isFinite(double x) {
        return !Double.isNaN(x) && !Double.isInfinite(x);
    }

    public static double average(double a, double b) {
        return a / 2 + b / 2;
    }

    public static double fahrenheit(double celsius) {
        return celsius * 9 / 5 + 32;
    }

    public static double horner(double x, double a, double b) {
        return a * x * x + b * x;
    }

    public static double secret(double x) {
        return x + 1;
    }

    public static double tenths(int n) {
        if (n < 0 || n > 20) {
            return 0;
        }
        return n * 0.1;
    }

    public static double quarters(int n) {
        if (n < 0 || n > 20) {
            return 0;
        }
        return n * 0.25;
    }

    public static int throughDouble(int x) {
        return x;
    }

    public static int throughFloat(int x) {
        return x;
    }

    public static float floatSum(float a, float b) {
        return a + b;
    }

    public static float floatSumOfThree(float a, float b, float c) {
        return a + b + c;
    }
}
