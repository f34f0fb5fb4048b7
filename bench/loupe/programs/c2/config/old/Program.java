package config;

/** Says more if it is told to. */
public class Program {
    private final Config config;

    public Program(Config config) {
        this.config = config;
    }

    public int level() {
        String level = config.get("v");
        if (level == null) {
            return 0;
        }
        if (level.equals("high")) {
            return 2;
        }
        return level.equals("low") ? 1 : 0;
    }
}
