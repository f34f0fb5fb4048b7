package example.shop;

import java.util.*;
import static java.lang.Math.max;

/** A basket. */
@Deprecated(since = "2")
public final class Sample<T extends Comparable<T> & Runnable> extends Object implements Iterable<T>, Cloneable {
    private static final int LIMIT = 10, OTHER = 20;
    private final List<T> items = new ArrayList<>();

    enum Color { RED, GREEN(2) { int shade() { return 1; } }, BLUE; Color() {} Color(int x) {} int shade() { return 0; } }
    interface Shape { default double area() { return 0.0; } void draw(int x, int... rest) throws Exception; }
    record Point(int x, int y) {}

    public Sample(int size) throws IllegalStateException {
        super();
        if (size < 0) { throw new IllegalStateException("negative: " + size); } else if (size > LIMIT) size = LIMIT;
    }

    @Override
    public Iterator<T> iterator() {
        for (int i = 0, j = 1; i < items.size(); i++, j--) {
            System.out.println(items.get(i)); // each
        }
        for (T item : items) continue;
        outer:
        while (true) { break outer; }
        switch (LIMIT) { case 1: case 2: return null; default: break; }
        try (AutoCloseable c = null; AutoCloseable d = null) { int[] a = {1, 2, 3}; a[0]++; }
        catch (RuntimeException | Error e) { e.printStackTrace(); }
        finally { synchronized (this) { } }
        Runnable r = () -> { };
        Comparator<String> byLength = (a, b) -> a.length() - b.length();
        var text = items.isEmpty() ? "empty" : (String) String.valueOf(max(1, 2));
        return items.stream().map(x -> x).filter(Objects::nonNull).iterator();
    }
}
