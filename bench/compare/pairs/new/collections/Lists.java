package collections;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/** Lists of numbers and texts. */
public class Lists {
    private Lists() {}

    public static int sum(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < numbers.size(); i++) {
            sum += numbers.get(i);
        }
        return sum;
    }

    public static int sumByStream(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }

    public static List<Integer> positiveDoubled(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        return numbers.stream().filter(number -> number > 0).map(number -> number << 1).collect(Collectors.toCollection(ArrayList::new));
    }

    public static long doubledPositive(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return numbers.stream().map(number -> 2 * number).filter(number -> number > 0).count();
    }

    public static List<Integer> withoutZeros(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> kept = new ArrayList<>(numbers);
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i) == 0) {
                kept.remove(i);
            }
        }
        return kept;
    }

    public static List<Integer> withoutZerosBackwards(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> kept = new ArrayList<>(numbers);
        for (int i = kept.size() - 1; i >= 0; i--) {
            if (kept.get(i) == 0) {
                kept.remove(i);
            }
        }
        return kept;
    }

    public static String removed(int number) {
        List<Integer> numbers = new ArrayList<>(List.of(3, 2, 1));
        if (number >= 0 && number < 3) {
            numbers.remove(number);
        }
        return numbers.toString();
    }

    public static int removedWhileIterating(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        List<Integer> kept = new ArrayList<>(numbers);
        for (Integer number : kept) {
            if (number == 0) {
                kept.remove(number);
            }
        }
        return kept.size();
    }

    public static boolean firstTwoSame(List<Integer> numbers) {
        if (numbers == null || numbers.size() < 2 || numbers.contains(null)) {
            return false;
        }
        return numbers.get(0) == numbers.get(1);
    }

    public static int largest(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return Collections.max(numbers);
    }

    public static List<Integer> sorted(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> sorted = new ArrayList<>(numbers);
        sorted.sort(Comparator.reverseOrder());
        Collections.reverse(sorted);
        return sorted;
    }

    public static List<Integer> sortedByDifference(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> sorted = new ArrayList<>(numbers);
        sorted.sort((a, b) -> a - b);
        return sorted;
    }

    public static List<Integer> sortedByQueue(List<Integer> numbers) {
        List<Integer> sorted = new ArrayList<>();
        if (numbers == null || numbers.contains(null)) {
            return sorted;
        }
        PriorityQueue<Integer> queue = new PriorityQueue<>(numbers);
        while (!queue.isEmpty()) {
            sorted.add(queue.poll());
        }
        return sorted;
    }

    public static String backwards(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        Deque<Integer> stack = new ArrayDeque<>();
        for (Integer number : numbers) {
            stack.push(number);
        }
        return stack.toString();
    }

    public static String queued(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        Deque<Integer> queue = new ArrayDeque<>();
        for (Integer number : numbers) {
            queue.add(number);
        }
        return queue.toString();
    }

    public static int firstNegative(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return numbers.stream().filter(number -> number < 0).findFirst().orElse(0);
    }

    public static boolean allPositive(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return false;
        }
        boolean all = false;
        for (int i = 0; i < numbers.size(); i++) {
            all = (i == 0 || all) && numbers.get(i) > 0;
        }
        return all;
    }

    public static int differences(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return numbers.stream().reduce(100, (rest, number) -> rest - number);
    }

    public static int added(int number) {
        List<Integer> numbers = List.of(number);
        numbers.add(2);
        return numbers.size();
    }

    public static int magicHash(List<Integer> numbers) {
        if (numbers == null) {
            return -1;
        }
        return numbers.hashCode() == 987654321 ? 0 : numbers.size();
    }

    public static String joined(List<String> words) {
        return words == null ? "" : String.join(", ", words);
    }
}
