package integers;

/** Loops without a bound that is known, and recursion. */
public class Loops {
    private Loops() {}

    public static int squares(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i * i;
        }
        return sum;
    }

    public static int squaresAfter(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i * i;
        }
        return sum * 4;
    }

    public static int sameLoopThenSecret(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    public static int sumTo(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    public static int downwards(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i * 3;
        }
        return sum;
    }

    public static int gauss(int n) {
        int sum = 0;
        for (int i = 1; i > 0 && i <= n; i++) {
            sum += i;
        }
        return sum;
    }

    public static int gaussWide(int n) {
        int sum = 0;
        for (int i = 1; i > 0 && i <= n; i++) {
            sum += i;
        }
        return sum;
    }

    public static int pairOfSums(int n, int start) {
        int sum = start;
        int mixed = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
            mixed ^= sum;
        }
        return sum + mixed;
    }

    public static int hoisted(int n, int a, int b) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a * b + i;
        }
        return sum;
    }

    public static int hoistedDivision(int n, int a, int b) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a / b + i;
        }
        return sum;
    }

    public static int collatz(int n) {
        int steps = 0;
        while (n != 1 && steps < 1000) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        return steps;
    }

    public static int greatestDivisor(int a, int b) {
        return b == 0 ? a : greatestDivisor(b, a % b);
    }

    public static int factorial(int n) {
        if (n < 0 || n > 40) {
            return 0;
        }
        return n == 0 ? 1 : n * factorial(n - 1);
    }

    public static int fibonacci(int n) {
        if (n < 0 || n > 16) {
            return -1;
        }
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    public static int digitSum(int x) {
        return x == 0 ? 0 : x % 10 + digitSum(x / 10);
    }

    public static int power(int base, int exponent) {
        if (exponent < 0 || exponent > 12) {
            return 0;
        }
        int product = 1;
        for (int i = 0; i < exponent; i++) {
            product *= base;
        }
        return product;
    }

    public static int squareRoot(int x) {
        if (x < 0) {
            return -1;
        }
        int root = 0;
        while (root < 46340 && (root + 1) * (root + 1) <= x) {
            root++;
        }
        return root;
    }
}
