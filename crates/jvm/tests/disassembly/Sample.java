package p;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;

@Deprecated(since = "1\n\"2\"", forRemoval = true)
public abstract class Sample<T extends Comparable<T> & Serializable> implements Iterable<T> {
    static final long WIDE = 20_000_000_000L;
    static final String TEXT = "a\tb\u202e\"c\\";
    static final float HALF = 0.5f;
    protected transient volatile List<? super T[]> items;
    private int[][] cells;

    abstract <X extends IOException> T each(List<? extends T> from, int... counts) throws X, IllegalStateException;

    static native int length(Object of);

    static int handlers(String text) {
        int sum = 0;
        for (int at = 0; at < text.length(); at++) {
            try {
                sum += Integer.parseInt(text.substring(at));
            } catch (NumberFormatException wrong) {
                sum -= 1000;
            }
        }
        return sum;
    }

    int switches(int value) {
        switch (value) {
            case 1:
            case 3:
                return cells[value].length;
            case 4:
                return 40;
            default:
                break;
        }
        switch (value) {
            case -100_000:
                return 1;
            case 100_000:
                value += 1000;
                break;
        }
        return value;
    }

    Supplier<Object[]> captured(String name) {
        cells = new int[2][3];
        return () -> new Object[] {name, 1.5, 2f, Sample.class, (T) null};
    }

    synchronized boolean matches(Object other) {
        return other instanceof Sample && ((Sample<?>) other).items == items;
    }

    sealed interface Shape permits Circle, Square {
        String WORD = "shape";

        double area();

        default String word() {
            return WORD;
        }
    }

    record Circle(double radius) implements Shape {
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    record Square(double side, List<String> labels) implements Shape {
        public double area() {
            return side * side;
        }
    }

    @interface Mark {
        int[] numbers() default {1, 2};

        Class<?> type() default void.class;

        char letter() default '\'';

        Deprecated nested() default @Deprecated(since = "x");
    }

    enum Level {
        LOW, HIGH
    }

    class Inner {
        @Mark(numbers = 3)
        final Object mine;

        Inner(List<T> given) {
            mine = given == null ? items : given;
        }
    }
}
