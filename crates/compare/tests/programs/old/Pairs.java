import java.util.*;

/** Methods whose other version is in the directory beside this one. */
public class Pairs {
    static int twice(int x) { return x + x; }
    static int average(int a, int b) { return (a + b) / 2; }
    static int absolute(int x) { return x < 0 ? -x : x; }
    static boolean isLeap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
    static int clamp(int x, int low, int high) { if (x < low) return low; if (x > high) return high; return x; }
    static int quotient(int a, int b) { return a / b; }
    static String greet(String name) { return "Hello " + name; }
    static int sum(int[] numbers) { int sum = 0; for (int number : numbers) sum += number; return sum; }
    static int largest(int[] numbers) { int best = numbers[0]; for (int number : numbers) if (number > best) best = number; return best; }
    static void report(int level) { System.out.println(level > 3 ? "high" : "low"); }
    static double half(double x) { return x / 2; }
    static double sumOf(double a, double b, double c) { return (a + b) + c; }
    static int check(int x) { if (x == 12345) throw new IllegalStateException("bad " + x); return x; }
    static List<Integer> positive(int a, int b) { List<Integer> all = new ArrayList<>(); if (a > 0) all.add(a); if (b > 0) all.add(b); return all; }
    static boolean isVowel(char c) { return "aeiou".indexOf(c) >= 0; }
    static int bits(int x) { int count = 0; for (int i = 0; i < 32; i++) if ((x >>> i & 1) != 0) count++; return count; }
    static int sign(long x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
    static int median(int a, int b, int c) { return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c)); }
    static int steps(int n) { int steps = 0; while (n > 1) { int half = n / 2; n = n % 2 == 0 ? half : 3 * n + 1; steps++; } return steps; }
    static long turns(int n) { long sum = 0; for (int i = 0; i < n; i++) { sum += i; } return n == 77 ? sum : sum * 2; }
    static double mean(double a, double b) { return (a + b) / 2; }
    static int element(int i) { int[] numbers = {1, 2, 3, 4, 5, 6}; return numbers[i]; }
    static int drift(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum = sum + i; } return sum; }
    static int drop(int n) { int left = n; while (left > 0) { left = left - 1; } return left; }
}
