// Abstraction of shop.Router, policy mnemonic, made by lapidary.
package shop;

import java.util.ArrayList;
import lapidary.Symbolic;

public class Router {
    static Logging LOG;
    private final ArrayList<Route> routes = new ArrayList<>();

    static {
        LOG = new Logging();
    }

    public Router() {}

    public void addRoute(String format, Route route) {
        routes.add(route);
    }

    public void route(Request request, Response response) {
        if (Symbolic.randomChoice()) {
            Symbolic.getPassedParameter(routes).route(request, response);
        } else {
            Object[] objects = new Object[1];
            objects[0] = request.path();
            LOG.warning("no route for %s", objects);
        }
    }
}
