package webapp.routes;

import webapp.core.Request;
import webapp.core.Response;
import webapp.core.Route;

/** Finds animals whose names begin with a word, in small or capital letters. */
public class FindRoute implements Route {
    private static final String[] ANIMALS = {"ant", "ape", "bat", "cat", "cow"};

    @Override
    public void route(Request request, Response response) {
        String small = small(request.query());
        if (!small.equals(request.query())) {
            request.setQuery(small);
        }
        String word = request.value('q');
        for (String animal : ANIMALS) {
            if (animal.startsWith(word)) {
                response.write(animal);
            }
        }
    }

    private String small(String text) {
        StringBuilder small = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            char letter = text.charAt(index);
            small.append(letter >= 'A' && letter <= 'Z' ? (char) (letter + 32) : letter);
        }
        return small.toString();
    }
}
