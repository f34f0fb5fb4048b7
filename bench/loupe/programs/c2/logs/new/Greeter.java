package logs;

/** Says hello in red. */
public class Greeter {
    private static final String RED = "\u001b[0;31m";

    private final Sink sink;

    public Greeter(Sink sink) {
        this.sink = sink;
    }

    public void greet(String word) {
        sink.line(RED + "hello " + word);
    }
}
