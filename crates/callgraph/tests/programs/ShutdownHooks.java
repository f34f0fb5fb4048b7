// A thread that runs when the JVM stops.
// needs: the whole library
// weakness: no-shutdown-hooks
// loses: ShutdownHooks.run:()V ShutdownHooks.work:()V
public class ShutdownHooks extends Thread {
    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new ShutdownHooks());
    }
    @Override public void run() { work(); }
    static void work() {}
}
