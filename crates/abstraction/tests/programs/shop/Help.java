package shop;

public class Help implements Route {
    @Override
    public void route(Request request, Response response) {
        response.send("help");
    }
}
