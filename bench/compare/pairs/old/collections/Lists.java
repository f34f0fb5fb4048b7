package collections;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** Lists of numbers and texts. */
public class Lists {
    private Lists() {}

    public static int sum(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        int sum = 0;
        for (Iterator<Integer> rest = numbers.iterator(); rest.hasNext();) {
            sum += rest.next();
        }
        return sum;
    }

    public static int sumByStream(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static List<Integer> positiveDoubled(List<Integer> numbers) {
        List<Integer> doubled = new ArrayList<>();
        if (numbers == null || numbers.contains(null)) {
            return doubled;
        }
        for (int number : numbers) {
            if (number > 0) {
                doubled.add(2 * number);
            }
        }
        return doubled;
    }

    public static long doubledPositive(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return numbers.stream().filter(number -> number > 0).map(number -> 2 * number).count();
    }

    public static List<Integer> withoutZeros(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> kept = new ArrayList<>(numbers);
        kept.removeIf(number -> number == 0);
        return kept;
    }

    public static List<Integer> withoutZerosBackwards(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> kept = new ArrayList<>(numbers);
        kept.removeIf(number -> number == 0);
        return kept;
    }

    public static String removed(int number) {
        List<Integer> numbers = new ArrayList<>(List.of(3, 2, 1));
        numbers.remove(Integer.valueOf(number));
        return numbers.toString();
    }

    public static int removedWhileIterating(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        List<Integer> kept = new ArrayList<>(numbers);
        for (Iterator<Integer> rest = kept.iterator(); rest.hasNext();) {
            if (rest.next() == 0) {
                rest.remove();
            }
        }
        return kept.size();
    }

    public static boolean firstTwoSame(List<Integer> numbers) {
        if (numbers == null || numbers.size() < 2 || numbers.contains(null)) {
            return false;
        }
        return numbers.get(0).equals(numbers.get(1));
    }

    public static int largest(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        return numbers.isEmpty() ? 0 : Collections.max(numbers);
    }

    public static List<Integer> sorted(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> sorted = new ArrayList<>(numbers);
        Collections.sort(sorted);
        return sorted;
    }

    public static List<Integer> sortedByDifference(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return new ArrayList<>();
        }
        List<Integer> sorted = new ArrayList<>(numbers);
        sorted.sort((a, b) -> Integer.compare(a, b));
        return sorted;
    }

    public static List<Integer> sortedByQueue(List<Integer> numbers) {
        List<Integer> sorted = new ArrayList<>();
        if (numbers == null || numbers.contains(null)) {
            return sorted;
        }
        sorted.addAll(numbers);
        Collections.sort(sorted);
        return sorted;
    }

    public static String backwards(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        List<Integer> backwards = new ArrayList<>(numbers);
        Collections.reverse(backwards);
        return backwards.toString();
    }

    public static String queued(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        Deque<Integer> stack = new ArrayDeque<>();
        for (Integer number : numbers) {
            stack.push(number);
        }
        return stack.toString();
    }

    public static int firstNegative(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        for (int number : numbers) {
            if (number < 0) {
                return number;
            }
        }
        return 0;
    }

    public static boolean allPositive(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return false;
        }
        return numbers.stream().allMatch(number -> number > 0);
    }

    public static int differences(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        int rest = 100;
        for (int number : numbers) {
            rest -= number;
        }
        return rest;
    }

    public static int added(int number) {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(number);
        numbers.add(2);
        return numbers.size();
    }

    public static int magicHash(List<Integer> numbers) {
        return numbers == null ? -1 : numbers.size();
    }

    public static String joined(List<String> words) {
        if (words == null) {
            return "";
        }
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < words.size(); i++) {
            joined.append(i == 0 ? "" : ", ").append(words.get(i));
        }
        return joined.toString();
    }
}
