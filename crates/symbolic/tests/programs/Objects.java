import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parameters that are objects of all kinds. */
public class Objects {
    static class Node {
        int value;
        Node next;
        String unread;
    }

    interface Shape {
        int area();
    }

    record Square(int side) implements Shape {
        Square {
            if (side < 0) throw new IllegalArgumentException("negative");
        }

        public int area() {
            return side * side;
        }
    }

    static final class Line implements Shape {
        private final int length;

        Line(int length) {
            this.length = length;
        }

        public int area() {
            return length == 7 ? -1 : 0;
        }
    }

    enum Colour { RED, GREEN, BLUE }

    static class Account implements Cloneable {
        private int balance;
        private final List<Integer> history = new ArrayList<>();

        int withdraw(int amount) {
            if (amount < 0) throw new IllegalArgumentException("amount");
            balance -= amount;
            assert balance != -3;
            return balance;
        }

        int copied() throws CloneNotSupportedException {
            Account other = (Account) clone();
            return other.balance == balance ? 1 : 2;
        }

        int remembered() {
            history.add(3);
            return history.size();
        }
    }

    static class Failure extends Exception {
        final int code;

        Failure(int code) {
            this.code = code;
        }
    }

    static int length(Node node) {
        int length = 0;
        for (Node at = node; at != null; at = at.next) length++;
        return length;
    }

    static int third(Node node) {
        if (node != null && node.value == 5 && node.next != null && node.next.value == node.value + 1) return node.next.next.value;
        return 0;
    }

    static int same(Node one, Node other) {
        if (one == null || other == null) return 0;
        one.value = 1;
        other.value = 2;
        return one.value;
    }

    static int shape(Shape shape) {
        if (shape.area() == 49) throw new IllegalStateException("seven");
        if (shape.area() < 0) return -1;
        return shape instanceof Square ? 1 : 2;
    }

    static String colour(Colour colour) {
        return switch (colour) {
            case RED -> "stop";
            case GREEN -> "go";
            case BLUE -> throw new IllegalStateException("blue");
        };
    }

    static int boxes(Integer one, Long other, Boolean flag) {
        if (one == 1000 && other == 7L && flag) return one / (int) (other - 7);
        return 1;
    }

    static int words(String[] words) {
        int found = 0;
        for (String word : words) if (word.equals("a")) found++;
        return found;
    }

    static int list(List<Integer> numbers) {
        int sum = 0;
        for (int number : numbers) sum += number;
        return numbers.size() == 2 && sum == 77 ? numbers.get(2) : sum;
    }

    static int map(Map<String, Square> squares) {
        Square found = squares.get("x");
        return found != null && found.side() == 4 ? 1 : 0;
    }

    static int optional(Optional<String> text, StringBuilder builder) {
        return text.get().length() + builder.append(1).length();
    }

    static int any(Object thing) {
        if (thing instanceof Integer number && number == 42) return 1;
        if (thing instanceof String text && text.equals("hi")) return 2;
        return 0;
    }

    static int grid(int[][] grid) {
        return grid[1][1] == 9 ? 1 : 0;
    }

    static class Holder<T> {
        T held;

        T get() {
            return held;
        }
    }

    record Couple<A, B extends Number>(A first, B second) {}

    static int held(Holder<String> holder) {
        return holder == null || holder.get() == null ? 0 : holder.get().length();
    }

    static int coupled(Couple<String, ?> couple) {
        if (couple == null || couple.first() == null || couple.second() == null) return 0;
        return couple.first().length() + couple.second().intValue() % 2;
    }

    static int failure(Failure failure) {
        return 10 / failure.code;
    }

    class Inner {
        int twice() {
            return size == 21 ? 2 * size : 0;
        }
    }

    int size;

    static final java.lang.invoke.VarHandle VALUE;

    static {
        try {
            VALUE = java.lang.invoke.MethodHandles.lookup().findVarHandle(Node.class, "value", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError(missing);
        }
    }

    static int counted(Node node) {
        return (int) VALUE.getAndAdd(node, 1) == 41 && node.value == 42 ? 1 : 0;
    }

    static int thread(Thread thread) {
        return 1;
    }
}
