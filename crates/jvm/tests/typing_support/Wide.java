package p;

import java.io.Serializable;
import java.util.*;
import java.util.function.*;

/** A bit of everything that javac makes code from. */
public class Wide<T extends Comparable<T>> implements Iterable<T> {
    private final List<T> items = new ArrayList<>();
    private long total;
    protected double[] weights = {1, 2.5, Double.NaN};

    sealed interface Shape permits Circle, Square {}
    record Circle(double radius) implements Shape {}
    record Square(int side, String name) implements Shape {
        Square {
            if (side < 0) throw new IllegalArgumentException("side " + side + " of " + name);
        }
    }
    enum Colour { RED, GREEN { @Override int code() { return 7; } }, BLUE; int code() { return ordinal(); } }

    @SafeVarargs
    Wide(T... all) {
        this(all.length > 0 ? Arrays.asList(all) : new LinkedList<T>());
    }

    Wide(Collection<? extends T> all) {
        items.addAll(all);
        for (double weight : weights) total += (long) weight;
    }

    @Override public Iterator<T> iterator() {
        return new Iterator<T>() {
            private int next = 0;
            @Override public boolean hasNext() { return next < items.size(); }
            @Override public T next() { total++; return items.get(next++); }
        };
    }

    T largest() {
        T best = null;
        for (T item : this) if (best == null || item.compareTo(best) > 0) best = item;
        return best;
    }

    static double area(Shape shape) {
        if (shape instanceof Circle circle) return Math.PI * circle.radius() * circle.radius();
        return shape instanceof Square square ? (double) square.side() * square.side() : 0;
    }

    static String name(Object value, int depth) {
        switch (String.valueOf(value)) {
            case "one": return "1";
            case "two": case "zwei": depth += 2; break;
            default: depth <<= 1;
        }
        switch (depth) { case 1: return "a"; case 2: return "b"; case 3: return "c"; case 1000: return "m"; }
        return switch (Colour.values()[depth & 1]) { case RED -> "red" + depth; case GREEN -> "green"; default -> "?"; };
    }

    static long read(AutoCloseable first, Object lock) throws Exception {
        long seen = 0L;
        try (AutoCloseable inner = first) {
            synchronized (lock) { seen += inner.hashCode(); }
            if (seen > 10) return seen;
        } catch (IllegalStateException | UnsupportedOperationException expected) {
            seen = -1;
        } catch (RuntimeException other) {
            throw new Exception("read", other);
        } finally {
            seen++;
            System.out.println(seen);
        }
        return seen;
    }

    Supplier<? extends Serializable> supplier(boolean number, Integer given) {
        Serializable chosen = number ? given : "text";
        Function<Object, String> show = String::valueOf;
        BiFunction<Integer, Integer, Integer> add = (left, right) -> left + right + given;
        Supplier<List<String>> make = ArrayList::new;
        make.get().add(show.apply(add.andThen(sum -> sum * 2L).apply(1, 2)));
        Runnable run = (Runnable & Serializable) () -> total += 2;
        run.run();
        return () -> chosen;
    }

    static int[][] grid(int width, int height, char fill) {
        int[][] grid = new int[height][width];
        Object[] rows = grid;
        short[][][] deep = new short[2][3][];
        deep[1][2] = new short[] {1, (short) fill};
        for (int row = 0, column; row < rows.length; row++) {
            column = 0;
            while (true) {
                if (column >= width) break;
                grid[row][column] ^= fill + (column++ % 3 == 0 ? deep[1][2][1] : (byte) row);
            }
        }
        boolean[] flags = new boolean[1];
        flags[0] |= grid.length > 3 && width != height;
        return flags[0] ? grid.clone() : null;
    }

    static float mix(float a, double b, long c, int d) {
        do { a += b; c >>>= d; d -= c > 5L ? 1 : 2; } while (d > 0 || a < Float.MIN_VALUE);
        assert d < 100 : "d is " + d;
        Object box = d > 3 ? (Object) Long.valueOf(c) : (Number) Float.valueOf(a);
        return box instanceof Number number ? number.floatValue() : (float) (c % 7);
    }

    Wide<T>.Inner inner() { return this.new Inner(); }

    class Inner {
        long sum() { Wide.this.total -= 3; return total + weights.length; }
    }
}
