package integers;

/** Decisions that were written in another way. */
public class Conditions {
    private Conditions() {}

    public static boolean deMorgan(int a, int b) {
        return a <= 3 || b >= 7;
    }

    public static boolean deMorganHalf(int a, int b) {
        return a <= 3 && b >= 7;
    }

    public static int secret(int x) {
        if (x == 123456789) {
            return 0;
        }
        return x / 2;
    }

    public static int hashed(int x) {
        int mixed = x * 0x9E3779B1;
        return mixed == 0x12345678 ? -1 : x & 0xff;
    }

    public static boolean twoSecrets(int x, int y) {
        if (x > 1000 && x < 100000 && y > 1000 && y < 100000 && x * 7 + y * 13 == 1_002_473) {
            return !(x > y);
        }
        return x > y;
    }

    public static int clamp(int x) {
        return Math.max(10, Math.min(90, x));
    }

    public static int clampBetween(int x, int low, int high) {
        return Math.min(high, Math.max(low, x));
    }

    public static int sign(int x) {
        return Integer.compare(x, 0);
    }

    public static int earlyReturn(int age, boolean member) {
        if (age < 0) {
            return -1;
        }
        if (age < 6) {
            return 0;
        }
        return member ? 5 : 8;
    }

    public static int postage(int grams) {
        if (grams >= 1000) {
            return 500;
        } else if (grams > 500) {
            return 275;
        }
        return grams > 20 ? 160 : 85;
    }

    public static boolean leapYear(int year) {
        if (year % 400 == 0) {
            return true;
        }
        if (year % 100 == 0) {
            return false;
        }
        return (year & 3) == 0;
    }

    public static boolean leapYearShort(int year) {
        return year % 4 == 0 && year % 100 != 0;
    }

    public static int daysOfMonth(int month) {
        if (month < 1 || month > 12) {
            return 0;
        }
        return month == 2 ? 28 : 30 + ((month + (month >> 3)) & 1);
    }

    public static boolean boxedSame(int x, int y) {
        Integer first = x;
        Integer second = y;
        return first == second;
    }

    public static boolean boxedSmall(byte x, byte y) {
        Integer first = (int) x;
        Integer second = (int) y;
        return first == second;
    }

    public static int boxedOrNull(Integer x) {
        return x + 1;
    }

    public static int orderOfEffects(int x) {
        System.out.println("sharing");
        return 100 / x;
    }

    public static int triangle(int a, int b, int c) {
        int longest = Math.max(a, Math.max(b, c));
        int shortest = Math.min(a, Math.min(b, c));
        if (shortest <= 0 || longest > 1000 || 2 * longest >= a + b + c) {
            return 0;
        }
        if (shortest == longest) {
            return 3;
        }
        int between = a + b + c - shortest - longest;
        return between == shortest || between == longest ? 2 : 1;
    }
}
