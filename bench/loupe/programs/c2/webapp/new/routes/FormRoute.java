package webapp.routes;

import webapp.core.Request;
import webapp.core.Response;
import webapp.core.Route;

/** Takes a number in and says whether it is one. */
public class FormRoute implements Route {
    @Override
    public void route(Request request, Response response) {
        String text = request.value('n');
        if (text.isEmpty()) {
            response.status(400);
            return;
        }
        int number = 0;
        for (int index = 0; index < text.length(); index++) {
            char digit = text.charAt(index);
            if (digit < '0' || digit > '9') {
                response.status(422);
                return;
            }
            number = number * 10 + digit - '0';
        }
        response.write("stored " + number);
    }
}
