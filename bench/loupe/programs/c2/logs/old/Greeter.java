package logs;

/** Says hello. */
public class Greeter {
    private final Sink sink;

    public Greeter(Sink sink) {
        this.sink = sink;
    }

    public void greet(String word) {
        sink.line("hello " + word);
    }
}
