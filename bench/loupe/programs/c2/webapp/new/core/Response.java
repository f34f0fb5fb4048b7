package webapp.core;

/** The page that is sent back. */
public class Response {
    private final StringBuilder body = new StringBuilder();
    private int status = 200;

    public void status(int code) {
        status = code;
    }

    public void write(String line) {
        body.append(line).append("; ");
    }

    public void send() {
        System.out.println("body " + status + " " + body);
    }
}
