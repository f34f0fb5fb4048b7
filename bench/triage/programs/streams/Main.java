// expects: sound
package streams;

import java.util.*;
import java.util.stream.*;

public class Main {
    public static void main(String[] args) {
        List<String> words = List.of("one", "two", "three");
        System.out.println(words.stream().filter(Main::isLong).map(String::length).reduce(0, Main::add));
        System.out.println(IntStream.range(0, 5).mapToObj(i -> label(i)).collect(Collectors.joining(",")));
    }

    static boolean isLong(String word) { return word.length() > 3; }
    static Integer add(Integer one, Integer other) { return one + other; }
    static String label(int number) { return "n" + number; }
}
