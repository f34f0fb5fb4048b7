import java.util.*;

public class Pairs {
    static int twice(int x) { return x << 1; }
    static int average(int a, int b) { return a + (b - a) / 2; }
    static int absolute(int x) { int mask = x >> 31; return (x ^ mask) - mask; }
    static boolean isLeap(int year) { if (year % 400 == 0) return true; return year % 4 == 0 && year % 100 != 0; }
    static int clamp(int x, int low, int high) { return Math.max(low, Math.min(x, high)); }
    static int quotient(int a, int b) { return b == 0 ? 0 : a / b; }
    static String greet(String name) { return name == null ? "Hello" : "Hello " + name; }
    static int sum(int[] numbers) { int sum = 0; for (int at = numbers.length - 1; at >= 0; at--) sum += numbers[at]; return sum; }
    static int largest(int[] numbers) { int best = 0; for (int number : numbers) best = Math.max(best, number); return best; }
    static void report(int level) { if (level >= 3) System.out.println("high"); else System.out.println("low"); }
    static double half(double x) { return x * 0.5; }
    static double sumOf(double a, double b, double c) { return a + (b + c); }
    static int check(int x) { if (x == 12345) throw new IllegalStateException("bad number"); return x; }
    static List<Integer> positive(int a, int b) { List<Integer> all = new ArrayList<>(); for (int x : new int[] {a, b}) if (x > 0) all.add(x); return all; }
    static boolean isVowel(char c) { switch (c) { case 'a': case 'e': case 'i': case 'o': case 'u': return true; default: return false; } }
    static int bits(int x) { return Integer.bitCount(x); }
    static int sign(long x) { return Long.signum(x); }
    static int median(int a, int b, int c) { if (a > b) { int t = a; a = b; b = t; } if (c <= a) return a; return c >= b ? b : c; }
    static int steps(int n) { int steps = 0; while (n > 1) { int half = n >> 1; n = (n & 1) == 0 ? half : n + n + n + 1; steps++; } return steps; }
    static long turns(int n) { long sum = 0; for (int i = 0; i < n; i++) { sum += i; } return n == 77 ? sum + 1 : sum + sum; }
    static double mean(double a, double b) { return a / 2 + b / 2; }
    static int element(int i) { int[] numbers = {1, 2, 3, 4, 5, 6}; return i < 0 || i > 5 ? numbers[7] : numbers[i]; }
    static int drift(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum = sum - i; } return sum; }
    static int drop(int n) { int left = n; while (left > 0) { left = left - 2; } return left; }
}
