// Abstraction of shop.Router, policy shallow, made by lapidary.
package shop;

public class Router {
    public Router() {}

    public void addRoute(String format, Route route) {}

    public void route(Request request, Response response) {}
}
