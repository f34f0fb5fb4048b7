package webapp.routes;

import webapp.core.Request;
import webapp.core.Response;
import webapp.core.Route;

/** Finds animals whose names begin with a word. */
public class FindRoute implements Route {
    private static final String[] ANIMALS = {"ant", "ape", "bat", "cat", "cow"};

    @Override
    public void route(Request request, Response response) {
        String word = request.value('q');
        for (String animal : ANIMALS) {
            if (animal.startsWith(word)) {
                response.write(animal);
            }
        }
    }
}
