package config;

/** Says more if it is told to. */
public class Program {
    private final Config config;

    public Program(Config config) {
        this.config = config;
    }

    public int level() {
        if (config.get("v") == null) {
            config.set("v", "off");
        }
        switch (config.get("v")) {
            case "high":
                return 2;
            case "low":
                return 1;
            default:
                return 0;
        }
    }
}
