package config;

import java.util.Map;
import java.util.TreeMap;

/** Settings by name. Names are compared without the dashes before them. */
public class Config {
    private final Map<String, String> settings = new TreeMap<>();

    public Config(String[] args) {
        for (int index = 0; index + 1 < args.length; index += 2) {
            set(args[index], args[index + 1]);
        }
    }

    public void set(String name, String value) {
        settings.put(plain(name), value);
    }

    public String get(String name) {
        return settings.get(plain(name));
    }

    public String describe() {
        StringBuilder all = new StringBuilder("settings:");
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            all.append(' ').append(setting.getKey()).append('=').append(setting.getValue());
        }
        return all.toString();
    }

    private String plain(String name) {
        int dashes = 0;
        while (dashes < name.length() && name.charAt(dashes) == '-') {
            dashes++;
        }
        return name.substring(dashes);
    }
}
