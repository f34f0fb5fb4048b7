package shop;

public interface Route {
    void route(Request request, Response response);
}
