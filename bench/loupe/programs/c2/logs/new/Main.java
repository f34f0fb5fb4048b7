package logs;

/** Greets on the terminal, or in the log file that the only argument names. */
public class Main {
    public static int run(String[] args, String word) {
        if (args == null || word == null || args.length > 1) {
            return 1;
        }
        if (args.length == 1 && (args[0] == null || args[0].isEmpty())) {
            return 2;
        }
        Shelf shelf = new Shelf();
        Sink sink = args.length == 0 ? new Terminal() : shelf.file(args[0]);
        new Greeter(sink).greet(word);
        shelf.list();
        return 0;
    }
}
