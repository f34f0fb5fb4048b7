package logs;

/** Lines that are kept. */
public class LogFile implements Sink {
    private final String name;
    private final StringBuilder content = new StringBuilder();
    private int lines;

    public LogFile(String name) {
        this.name = name;
    }

    @Override
    public void line(String text) {
        content.append(text).append('\n');
        lines++;
    }

    public String describe() {
        return name + ": " + lines + " lines, " + content.length() + " characters";
    }
}
