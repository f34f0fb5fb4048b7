package shop;

public final class Request {
    private final String path;

    public Request(String path) {
        this.path = path;
    }

    public String path() {
        return path;
    }
}
