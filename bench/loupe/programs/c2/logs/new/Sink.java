package logs;

/** Where lines go. */
public interface Sink {
    void line(String text);
}
