package webapp.routes;

import webapp.core.Request;
import webapp.core.Response;
import webapp.core.Route;

/** Says which pages there are. */
public class HelpRoute implements Route {
    @Override
    public void route(Request request, Response response) {
        response.write("/f?q=word finds an animal");
        response.write("/new?n=number stores a number");
        response.write("/i says what this is");
    }
}
