// expects: bug no-library-callbacks (call-back)
package library_callback;

import java.util.*;

public class Main {
    static class Upside implements Comparator<Integer> {
        @Override public int compare(Integer one, Integer other) { return other - one; }
    }

    public static void main(String[] args) {
        Integer[] numbers = { 1, 3, 2 };
        Arrays.sort(numbers, new Upside());
        System.out.println(numbers[0]);
    }
}
