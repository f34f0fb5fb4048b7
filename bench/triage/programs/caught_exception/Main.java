// expects: bug no-caught-exceptions (direct call)
package caught_exception;

public class Main {
    static class Trouble extends RuntimeException {
        String advice() { return "restart"; }
    }

    public static void main(String[] args) {
        try {
            fail();
        } catch (Trouble trouble) {
            System.out.println(trouble.advice());
        }
    }

    static void fail() { throw new Trouble(); }
}
