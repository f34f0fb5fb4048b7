package collections;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Maps and sets. */
public class Maps {
    private Maps() {}

    public static int distinct(List<Integer> numbers) {
        return numbers == null ? 0 : new HashSet<>(numbers).size();
    }

    public static String distinctSorted(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        return numbers.stream().distinct().sorted().collect(Collectors.toList()).toString();
    }

    public static int roman(char letter) {
        Map<Character, Integer> values = new HashMap<>();
        values.put('I', 1);
        values.put('V', 5);
        values.put('X', 10);
        values.put('L', 50);
        return values.getOrDefault(letter, 0);
    }

    public static int romanTypo(char letter) {
        Map<Character, Integer> values = Map.of('I', 1, 'V', 5, 'X', 10, 'L', 500);
        return values.getOrDefault(letter, 0);
    }

    public static int stock(Map<String, Integer> stock, String name) {
        if (stock == null) {
            return 0;
        }
        return stock.getOrDefault(name, 0);
    }

    public static int stockAsked(Map<String, Integer> stock, String name) {
        if (stock == null || stock.containsValue(null)) {
            return 0;
        }
        return stock.getOrDefault(name, 0);
    }

    public static int mostFrequent(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        Map<Integer, Integer> counts = new HashMap<>();
        int most = 0;
        for (Integer number : numbers) {
            most = Math.max(most, counts.merge(number, 1, Integer::sum));
        }
        return most;
    }

    public static String byParity(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        return numbers.stream().collect(Collectors.groupingBy(number -> number & 1, TreeMap::new, Collectors.toList())).toString();
    }

    public static String orderOfKeys(List<String> words) {
        if (words == null || words.contains(null)) {
            return "";
        }
        Map<String, Integer> lengths = new TreeMap<>();
        for (String word : words) {
            lengths.put(word, word.length());
        }
        return lengths.toString();
    }

    public static String sortedKeys(List<String> words) {
        if (words == null || words.contains(null)) {
            return "";
        }
        List<String> keys = new ArrayList<>(new HashSet<>(words));
        Collections.sort(keys);
        return String.join(",", keys);
    }

    public static int firstWins(List<Integer> numbers) {
        if (numbers == null || numbers.isEmpty() || numbers.contains(null)) {
            return 0;
        }
        Map<Boolean, Integer> found = new HashMap<>();
        for (Integer number : numbers) {
            found.put(number > 0, number);
        }
        return found.getOrDefault(true, 0);
    }

    public static int treeWithNull(List<Integer> numbers) {
        return numbers == null ? 0 : new TreeSet<>(numbers).size();
    }

    public static int total(Map<String, Integer> prices) {
        if (prices == null || prices.containsValue(null)) {
            return 0;
        }
        return prices.entrySet().stream().mapToInt(Map.Entry::getValue).sum();
    }
}
