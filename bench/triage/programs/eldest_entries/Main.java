// expects: sound
package eldest_entries;

import java.util.*;

public class Main {
    static class Cache extends LinkedHashMap<Integer, String> {
        @Override protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) { return size() > 1; }
    }

    public static void main(String[] args) {
        Cache cache = new Cache();
        cache.put(1, "a");
        cache.put(2, "b");
        System.out.println(cache);
    }
}
