// A caught exception keeps its class.
// weakness: no-caught-exceptions
// loses: Exceptions$Failure.seen:()V
public class Exceptions {
    public static void main(String[] arguments) {
        try { fail(); } catch (Failure failure) { failure.seen(); } finally { last(); }
    }
    static void fail() throws Failure { throw new Failure(); }
    static void last() {}
    static class Failure extends Exception { void seen() {} }
}
