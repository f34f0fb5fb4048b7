package webapp.core;

/** Finds the route of a request by its path. */
public class Router {
    private int routeCount = 0;
    private final RouterItem[] items = new RouterItem[16];

    public void addRoute(String format, Route route) {
        items[routeCount] = new RouterItem(format, route);
        routeCount++;
    }

    public void route(Request request, Response response) {
        for (int index = 0; index < routeCount; index++) {
            RouterItem item = items[index];
            if (matches(item.format, request.path())) {
                item.route.route(request, response);
                return;
            }
        }
        response.status(404);
    }

    /** Whether the path is the format; one slash at its end does not matter. */
    private boolean matches(String format, String path) {
        int length = path.length();
        if (length > 1 && path.charAt(length - 1) == '/') {
            length--;
        }
        if (length != format.length()) {
            return false;
        }
        for (int index = 0; index < length; index++) {
            if (path.charAt(index) != format.charAt(index)) {
                return false;
            }
        }
        return true;
    }

    private static class RouterItem {
        private final String format;
        private final Route route;

        RouterItem(String format, Route route) {
            this.format = format;
            this.route = route;
        }
    }
}
