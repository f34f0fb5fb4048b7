// Abstraction of shop.PackageMap, policy shallow, made by lapidary.
package shop;

import java.util.ArrayList;
import java.util.Arrays;
import lapidary.Symbolic;

public class PackageMap {
    public PackageMap() {}

    public void put(String key, Package value) {}

    public Iterable keys() {
        return Symbolic.getArgument(Arrays.<Iterable>asList(null, new ArrayList<>()));
    }

    public Package value(String key) {
        return Symbolic.getArgument(Arrays.<Package>asList(null, new Package(Symbolic.newInt(), Symbolic.newBoolean())));
    }
}
