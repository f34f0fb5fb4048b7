// Abstraction of shop.Router, policy deep, made by lapidary.
package shop;

import lapidary.Symbolic;

public class Router {
    static Logging LOG;

    static {
        LOG = new Logging();
    }

    public Router() {}

    public void addRoute(String format, Route route) {}

    public void route(Request request, Response response) {
        if (Symbolic.randomChoice()) {
            new Help().route(request, response);
        } else {
            Object[] objects = new Object[1];
            objects[0] = request.path();
            LOG.warning("no route for %s", objects);
        }
    }
}
