// expects: sound
package iterables;

import java.util.*;

public class Main {
    static class Range implements Iterable<Integer> {
        @Override public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int next;
                @Override public boolean hasNext() { return next < 3; }
                @Override public Integer next() { return next++; }
            };
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int value : new Range()) sum += value;
        System.out.println(sum);
    }
}
