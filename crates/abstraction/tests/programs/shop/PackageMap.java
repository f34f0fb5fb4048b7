package shop;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

public class PackageMap {
    private final Map<String, Package> packages = new HashMap<>();

    public PackageMap() {
        try {
            Database database = new Database("localhost");
            while (database.next()) {
                put(database.text(0), new Package(database.number(1), database.number(2) != 0));
            }
        } catch (IOException broken) {
            System.out.println("broken: " + broken);
        }
    }

    public void put(String key, Package value) {
        packages.put(key, value);
    }

    public Iterable<String> keys() {
        return packages.keySet();
    }

    public Package value(String key) {
        return packages.get(key);
    }
}
