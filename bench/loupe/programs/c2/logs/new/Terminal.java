package logs;

/** Lines for somebody who looks at a screen. */
public class Terminal implements Sink {
    @Override
    public void line(String text) {
        System.out.println(text);
    }
}
