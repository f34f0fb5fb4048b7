package even;

/** Where messages are printed. */
public class Page {
    public void print(String message) {
        System.out.println(message);
    }
}
