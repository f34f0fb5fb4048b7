package webapp;

import webapp.core.AccessLog;
import webapp.core.Request;
import webapp.core.Response;
import webapp.core.Router;
import webapp.routes.FindRoute;
import webapp.routes.FormRoute;
import webapp.routes.HelpRoute;
import webapp.routes.InfoRoute;

/** A small web application behind a server that hands over path and query. */
public class Main {
    private final Router router = new Router();
    private final AccessLog log = new AccessLog();

    public static void run(String path, String query) {
        if (path == null || query == null) {
            return;
        }
        new Main().answer(new Request(path, query), new Response());
    }

    private Main() {
        router.addRoute("/f", new FindRoute());
        router.addRoute("/new", new FormRoute());
        router.addRoute("/h", new HelpRoute());
        router.addRoute("/i", new InfoRoute());
    }

    private void answer(Request request, Response response) {
        router.route(request, response);
        response.send();
        log.answered(request);
    }
}
