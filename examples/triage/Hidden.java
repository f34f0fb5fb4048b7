/** Calls a method by its name. */
public class Hidden {
    public static void main(String[] args) throws Exception {
        Hidden.class.getMethod("target").invoke(null);
    }

    public static void target() {
        System.out.println("reached");
    }
}
