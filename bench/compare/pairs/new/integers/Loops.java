package integers;

/** Loops without a bound that is known, and recursion. */
public class Loops {
    private Loops() {}

    public static int squares(int n) {
        int sum = 0;
        int i = 0;
        for (; i + 1 < n; i += 2) {
            sum += i * i;
            sum += (i + 1) * (i + 1);
        }
        if (i < n) {
            sum += i * i;
        }
        return sum;
    }

    public static int squaresAfter(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i * i;
        }
        return sum << 2;
    }

    public static int sameLoopThenSecret(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum == 2926 ? 0 : sum;
    }

    public static int sumTo(int n) {
        int sum = 0;
        for (int i = 0; i <= n && i >= 0; i++) {
            sum += i;
        }
        return sum;
    }

    public static int downwards(int n) {
        int sum = 0;
        for (int i = n; i > 0; i--) {
            sum += (i - 1) * 3;
        }
        return sum;
    }

    public static int gauss(int n) {
        return n <= 0 ? 0 : n * (n + 1) / 2;
    }

    public static int gaussWide(int n) {
        return n <= 0 ? 0 : (int) ((long) n * (n + 1L) / 2);
    }

    public static int pairOfSums(int n, int start) {
        int sum = start;
        int mixed = 0;
        for (int i = 0; i < n; i++) {
            mixed ^= sum + i;
            sum = i + sum;
        }
        return mixed + sum;
    }

    public static int hoisted(int n, int a, int b) {
        int product = a * b;
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += product + i;
        }
        return sum;
    }

    public static int hoistedDivision(int n, int a, int b) {
        int quotient = a / b;
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += quotient + i;
        }
        return sum;
    }

    public static int collatz(int n) {
        int steps = 0;
        while (n != 1 && steps < 1000) {
            n = (n & 1) == 0 ? n >> 1 : (n << 1) + n + 1;
            steps++;
        }
        return steps;
    }

    public static int greatestDivisor(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    public static int factorial(int n) {
        if (n < 0 || n > 40) {
            return 0;
        }
        int product = 1;
        for (int i = 2; i <= n; i++) {
            product *= i;
        }
        return product;
    }

    public static int fibonacci(int n) {
        int[] table = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 223, 377, 610, 987};
        return n < 0 || n > 16 ? -1 : table[n];
    }

    public static int digitSum(int x) {
        int sum = 0;
        for (int rest = x; rest != 0; rest /= 10) {
            sum += rest - rest / 10 * 10;
        }
        return sum;
    }

    public static int power(int base, int exponent) {
        if (exponent < 0 || exponent > 12) {
            return 0;
        }
        int product = 1;
        int square = base;
        for (int rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                product *= square;
            }
            square *= square;
        }
        return product;
    }

    public static int squareRoot(int x) {
        if (x < 0) {
            return -1;
        }
        int low = 0;
        int high = 46340;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (middle * middle <= x) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
