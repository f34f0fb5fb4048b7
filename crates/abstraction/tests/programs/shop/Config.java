package shop;

import java.util.HashMap;
import java.util.Map;

public class Config {
    private final Map<String, String> configuration = new HashMap<>();

    public Config(String[] args) {
        for (int i = 1; i < args.length - 1; i += 2) {
            setConfig(args[i], args[i + 1]);
        }
    }

    public void setConfig(String key, String value) {
        configuration.put(key, value);
    }

    public String getConfig(String key) {
        return configuration.get(key);
    }
}
