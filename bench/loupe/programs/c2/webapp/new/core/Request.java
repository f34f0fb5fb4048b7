package webapp.core;

/** What was asked for. */
public class Request {
    private final String path;
    private String query;

    public Request(String path, String query) {
        this.path = path;
        this.query = query;
    }

    public String path() {
        return path;
    }

    public String query() {
        return query;
    }

    public void setQuery(String query) {
        this.query = query;
    }

    /** The value of a one-letter name, as in {@code q=cat}, or an empty text. */
    public String value(char name) {
        if (query.length() < 2 || query.charAt(0) != name || query.charAt(1) != '=') {
            return "";
        }
        return query.substring(2);
    }
}
