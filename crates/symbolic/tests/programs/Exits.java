/** Exits in the middle of a method. */
public class Exits {
    public static void main(String[] arguments) {
        try {
            System.out.println("before");
            leave(arguments == null ? 0 : arguments.length);
        } finally {
            System.out.println("never printed");
        }
    }

    static void leave(int code) {
        if (code == 0) {
            Runtime.getRuntime().exit(3);
        }
        System.exit(code);
    }
}
