package webapp.core;

/** One line for each request. */
public class AccessLog {
    private int count;

    public void answered(Request request) {
        count++;
        System.out.println("log " + count + " " + request.path() + "?" + request.query());
    }
}
