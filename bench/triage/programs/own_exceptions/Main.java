// expects: sound
package own_exceptions;

public class Main {
    static class Problem extends Exception {
        @Override public String getMessage() { return "described"; }
        @Override public synchronized Throwable fillInStackTrace() { return this; }
    }

    public static void main(String[] args) {
        try {
            throw new Problem();
        } catch (Problem problem) {
            System.out.println(problem);
        } finally {
            after();
        }
    }

    static void after() { }
}
