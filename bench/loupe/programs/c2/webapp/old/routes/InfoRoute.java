package webapp.routes;

import webapp.core.Request;
import webapp.core.Response;
import webapp.core.Route;

/** Says what this is. */
public class InfoRoute implements Route {
    @Override
    public void route(Request request, Response response) {
        if (request.query().isEmpty()) {
            response.write("a list of animals");
        } else {
            response.write("no questions here");
        }
    }
}
