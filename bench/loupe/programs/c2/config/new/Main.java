package config;

/** Reads settings from pairs of arguments, runs the program and shows the settings. */
public class Main {
    public static int run(String[] args) {
        if (args == null || args.length % 2 != 0) {
            return -1;
        }
        for (String arg : args) {
            if (arg == null) {
                return -1;
            }
        }
        Config config = new Config(args);
        int level = new Program(config).level();
        System.out.println(config.describe());
        return level;
    }
}
