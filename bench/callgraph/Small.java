public class Small {
    public static void main(String[] arguments) {
        System.out.println("small");
    }
}
