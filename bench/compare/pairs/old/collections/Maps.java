package collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Maps and sets. */
public class Maps {
    private Maps() {}

    public static int distinct(List<Integer> numbers) {
        if (numbers == null) {
            return 0;
        }
        int count = 0;
        for (int i = 0; i < numbers.size(); i++) {
            if (numbers.indexOf(numbers.get(i)) == i) {
                count++;
            }
        }
        return count;
    }

    public static String distinctSorted(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        return new TreeSet<>(numbers).toString();
    }

    public static int roman(char letter) {
        switch (letter) {
            case 'I':
                return 1;
            case 'V':
                return 5;
            case 'X':
                return 10;
            case 'L':
                return 50;
            default:
                return 0;
        }
    }

    public static int romanTypo(char letter) {
        switch (letter) {
            case 'I':
                return 1;
            case 'V':
                return 5;
            case 'X':
                return 10;
            case 'L':
                return 50;
            default:
                return 0;
        }
    }

    public static int stock(Map<String, Integer> stock, String name) {
        if (stock == null) {
            return 0;
        }
        Integer count = stock.get(name);
        return count == null ? 0 : count;
    }

    public static int stockAsked(Map<String, Integer> stock, String name) {
        if (stock == null || stock.containsValue(null)) {
            return 0;
        }
        return stock.containsKey(name) ? stock.get(name) : 0;
    }

    public static int mostFrequent(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return 0;
        }
        int most = 0;
        for (Integer one : numbers) {
            int count = 0;
            for (Integer other : numbers) {
                if (one.equals(other)) {
                    count++;
                }
            }
            most = Math.max(most, count);
        }
        return most;
    }

    public static String byParity(List<Integer> numbers) {
        if (numbers == null || numbers.contains(null)) {
            return "";
        }
        Map<Integer, List<Integer>> groups = new TreeMap<>();
        for (Integer number : numbers) {
            groups.computeIfAbsent(number & 1, key -> new ArrayList<>()).add(number);
        }
        return groups.toString();
    }

    public static String orderOfKeys(List<String> words) {
        if (words == null || words.contains(null)) {
            return "";
        }
        Map<String, Integer> lengths = new LinkedHashMap<>();
        for (String word : words) {
            lengths.put(word, word.length());
        }
        return lengths.toString();
    }

    public static String sortedKeys(List<String> words) {
        if (words == null || words.contains(null)) {
            return "";
        }
        Map<String, Integer> lengths = new TreeMap<>();
        for (String word : words) {
            lengths.put(word, word.length());
        }
        return String.join(",", lengths.keySet());
    }

    public static int firstWins(List<Integer> numbers) {
        if (numbers == null || numbers.isEmpty() || numbers.contains(null)) {
            return 0;
        }
        Map<Boolean, Integer> found = new HashMap<>();
        for (Integer number : numbers) {
            found.putIfAbsent(number > 0, number);
        }
        return found.getOrDefault(true, 0);
    }

    public static int treeWithNull(List<Integer> numbers) {
        return numbers == null ? 0 : new HashSet<>(numbers).size();
    }

    public static int total(Map<String, Integer> prices) {
        if (prices == null || prices.containsValue(null)) {
            return 0;
        }
        int total = 0;
        for (int price : prices.values()) {
            total += price;
        }
        return total;
    }
}
