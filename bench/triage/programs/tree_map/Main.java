// expects: sound
package tree_map;

import java.util.*;

public class Main {
    static class Key implements Comparable<Key> {
        final int number;
        Key(int number) { this.number = number; }
        @Override public int compareTo(Key other) { return Integer.compare(number, other.number); }
    }

    public static void main(String[] args) {
        TreeMap<Key, String> map = new TreeMap<>();
        map.put(new Key(2), "b");
        map.put(new Key(1), "a");
        System.out.println(map.firstEntry().getValue());
    }
}
