// expects: bug no-uncaught-handlers (uncaught exception)
package uncaught_handler;

public class Main {
    static class Handler implements Thread.UncaughtExceptionHandler {
        @Override public void uncaughtException(Thread thread, Throwable thrown) { System.out.println("caught"); }
    }

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler(new Handler());
        throw new IllegalStateException("on purpose");
    }
}
