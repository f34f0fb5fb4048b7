package integers;

/** Decisions that were written in another way. */
public class Conditions {
    private Conditions() {}

    public static boolean deMorgan(int a, int b) {
        return !(a > 3 && b < 7);
    }

    public static boolean deMorganHalf(int a, int b) {
        return !(a > 3 && b < 7);
    }

    public static int secret(int x) {
        return x / 2;
    }

    public static int hashed(int x) {
        return x & 0xff;
    }

    public static boolean twoSecrets(int x, int y) {
        return x > y;
    }

    public static int clamp(int x) {
        if (x < 10) {
            return 10;
        }
        if (x > 90) {
            return 90;
        }
        return x;
    }

    public static int clampBetween(int x, int low, int high) {
        if (x < low) {
            return low;
        }
        return x > high ? high : x;
    }

    public static int sign(int x) {
        if (x > 0) {
            return 1;
        }
        return x < 0 ? -1 : 0;
    }

    public static int earlyReturn(int age, boolean member) {
        int price;
        if (age >= 0) {
            if (age < 6) {
                price = 0;
            } else {
                if (member) {
                    price = 5;
                } else {
                    price = 8;
                }
            }
        } else {
            price = -1;
        }
        return price;
    }

    public static int postage(int grams) {
        if (grams <= 20) {
            return 85;
        } else if (grams <= 500) {
            return 160;
        } else if (grams <= 1000) {
            return 275;
        }
        return 500;
    }

    public static boolean leapYear(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    public static boolean leapYearShort(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    public static int daysOfMonth(int month) {
        switch (month) {
            case 2:
                return 28;
            case 4:
            case 6:
            case 9:
            case 11:
                return 30;
            default:
                return month >= 1 && month <= 12 ? 31 : 0;
        }
    }

    public static boolean boxedSame(int x, int y) {
        Integer first = x;
        Integer second = y;
        return first.equals(second);
    }

    public static boolean boxedSmall(byte x, byte y) {
        Integer first = (int) x;
        Integer second = (int) y;
        return first.equals(second);
    }

    public static int boxedOrNull(Integer x) {
        return x == null ? 0 : x + 1;
    }

    public static int orderOfEffects(int x) {
        int share = 100 / x;
        System.out.println("sharing");
        return share;
    }

    public static int triangle(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0 || a > 1000 || b > 1000 || c > 1000) {
            return 0;
        }
        if (a + b <= c || b + c <= a || a + c <= b) {
            return 0;
        }
        if (a == b && b == c) {
            return 3;
        }
        return a == b || b == c || a == c ? 2 : 1;
    }
}
