// The handler receives the exception that ends a thread.
// needs: the whole library
// weakness: no-uncaught-handlers
// loses: UncaughtHandlers.uncaughtException:(Ljava/lang/Thread;Ljava/lang/Throwable;)V UncaughtHandlers$Failure.seen:()V
public class UncaughtHandlers implements Thread.UncaughtExceptionHandler {
    public static void main(String[] arguments) {
        Thread.setDefaultUncaughtExceptionHandler(new UncaughtHandlers());
        throw new Failure();
    }
    public void uncaughtException(Thread thread, Throwable failure) {
        if (failure instanceof Failure) ((Failure) failure).seen();
    }
    static class Failure extends RuntimeException { void seen() {} }
}
