package shop;

public class Logging {
    public void warning(String format, Object... values) {
        System.err.println(format);
    }
}
