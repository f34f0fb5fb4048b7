/** Calls and little else: a recursion and calls of one interface on four classes. */
public class Calls {
    interface Shape { int area(int size); }

    public static void main(String[] args) {
        Shape[] shapes = { size -> size, size -> 2 * size, new Square(), new Odd() };
        long sum = 0;
        for (int i = 0; i < 100_000_000; i++) sum += shapes[i & 3].area(i);
        System.out.println(sum + fib(42));
    }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static class Square implements Shape {
        @Override public int area(int size) { return size * size; }
    }

    static class Odd implements Shape {
        @Override public int area(int size) { return size | 1; }
    }
}
