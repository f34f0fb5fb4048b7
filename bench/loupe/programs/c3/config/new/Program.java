package config;

import java.util.HashMap;
import java.util.Map;

/** Says more if it is told to. */
public class Program {
    private final Config config;
    private final Map<String, Integer> levels = new HashMap<>();

    public Program(Config config) {
        this.config = config;
        levels.put("high", 2);
        levels.put("low", 1);
    }

    public int level() {
        return levels.getOrDefault(config.get("v"), 0);
    }
}
