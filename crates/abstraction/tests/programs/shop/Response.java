package shop;

public class Response {
    public void send(String text) {
        System.out.println(text);
    }
}
