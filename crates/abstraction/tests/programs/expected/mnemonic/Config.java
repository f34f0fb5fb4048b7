// Abstraction of shop.Config, policy mnemonic, made by lapidary.
package shop;

import java.util.ArrayList;
import java.util.Arrays;
import lapidary.Symbolic;

public class Config {
    private final ArrayList<String> strings = new ArrayList<>();

    public Config(String[] args) {
        while (Symbolic.randomChoice()) {
            setConfig(Symbolic.getArgument(Arrays.asList(args)), Symbolic.getArgument(Arrays.asList(args)));
        }
    }

    public void setConfig(String key, String value) {
        strings.add(key);
        strings.add(value);
    }

    public String getConfig(String key) {
        strings.add(key);
        return Symbolic.getPassedParameter(strings);
    }
}
