package shop;

public class Router {
    private static final Logging LOG = new Logging();
    private int count = 0;
    private final Item[] items = new Item[512];

    public void addRoute(String format, Route route) {
        items[count] = new Item(format, route);
        count++;
    }

    public void route(Request request, Response response) {
        for (int i = 0; i < count; i++) {
            Item item = items[i];
            if (request.path().equals(item.format)) {
                item.route.route(request, response);
                return;
            }
        }
        LOG.warning("no route for %s", request.path());
    }

    private static class Item {
        private final String format;
        private final Route route;

        private Item(String format, Route route) {
            this.format = format;
            this.route = route;
        }
    }
}
