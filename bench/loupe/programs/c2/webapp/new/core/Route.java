package webapp.core;

/** Answers the requests of one path. */
public interface Route {
    void route(Request request, Response response);
}
