// Abstraction of shop.PackageMap, policy mnemonic, made by lapidary.
package shop;

import java.io.IOException;
import java.util.ArrayList;
import lapidary.Symbolic;

public class PackageMap {
    private final ArrayList<String> strings = new ArrayList<>();
    private final ArrayList<Package> packages = new ArrayList<>();

    public PackageMap() {
        try {
            Database database = new Database("localhost");
            while (true) {
                database.next();
                if (Symbolic.randomChoice()) {
                    break;
                }
                String string = database.text(0);
                int i = database.number(1);
                database.number(2);
                put(string, new Package(i, Symbolic.newBoolean()));
            }
        } catch (IOException ioException) {
            System.out.println(("broken: " + String.valueOf((Object) ioException)));
        }
    }

    public void put(String key, Package value) {
        strings.add(key);
        packages.add(value);
    }

    public Iterable keys() {
        return new ArrayList<>(strings);
    }

    public Package value(String key) {
        strings.add(key);
        return Symbolic.getPassedParameter(packages);
    }
}
