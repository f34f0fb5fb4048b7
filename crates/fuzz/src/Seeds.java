import java.util.List;
import java.util.function.Supplier;

/** Classes with most of what a class file can hold. */
@Deprecated
abstract class Seeds<T extends Comparable<T>> implements Runnable {
    static final long LONG = 1L << 40;
    static final double DOUBLE = 2.5;
    private final List<? super T> list;

    Seeds(List<? super T> list) {
        this.list = list;
    }

    public void run() {
        try {
            Supplier<String> text = () -> "size " + list.size();
            System.out.println(text.get());
        } catch (IllegalStateException | NullPointerException problem) {
            throw new RuntimeException(problem);
        } finally {
            synchronized (this) {
                list.clear();
            }
        }
    }

    static int choose(String word, int number, int[][] table) {
        switch (word) {
            case "one": return table[0][1];
            case "two": return number > 3 ? -1 : (int) DOUBLE;
            default: break;
        }
        switch (number) {
            case 1: case 2: case 3: return 4;
            case 1000: return (int) LONG;
            default: return number;
        }
    }

    enum Colour { RED, GREEN }

    record Pair(int left, @Deprecated Colour right) {}

    sealed interface Shape permits Circle {}

    static final class Circle implements Shape {}
}
