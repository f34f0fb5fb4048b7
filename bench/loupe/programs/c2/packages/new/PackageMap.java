package packages;

import java.util.ArrayList;
import java.util.List;

/** Packages by name: an open table whose places are found by hashing, as an index file on disk would have it. */
public class PackageMap {
    private static final int PLACES = 16;

    private final String[] names = new String[PLACES];
    private final Package[] packages = new Package[PLACES];

    public void put(String name, Package value) {
        int place = find(name);
        names[place] = name;
        packages[place] = value;
    }

    public Package get(String name) {
        return packages[find(name)];
    }

    public List<String> names() {
        List<String> found = new ArrayList<>();
        for (int place = 0; place < PLACES; place++) {
            if (names[place] != null) {
                found.add(names[place]);
            }
        }
        return found;
    }

    private int find(String name) {
        int place = hash(name);
        while (names[place] != null && !names[place].equals(name)) {
            place = (place + 1) % PLACES;
        }
        return place;
    }

    private int hash(String name) {
        int sum = 7;
        for (int index = 0; index < name.length(); index++) {
            sum = (sum << 5) - sum + name.charAt(index);
            sum ^= sum >>> 11;
        }
        return sum & (PLACES - 1);
    }
}
