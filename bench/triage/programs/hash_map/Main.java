// expects: sound
package hash_map;

import java.util.*;

public class Main {
    static class Key {
        @Override public int hashCode() { return 1; }
        @Override public boolean equals(Object other) { return other instanceof Key; }
    }

    public static void main(String[] args) {
        Map<Key, Integer> map = new HashMap<>();
        map.merge(new Key(), 1, Main::add);
        map.merge(new Key(), 1, Main::add);
        System.out.println(map.values());
    }

    static Integer add(Integer one, Integer other) { return one + other; }
}
