// The garbage collector enqueues a reference, and the cleaner runs its action.
// needs: the whole library
// weakness: no-cleaners
// loses: Cleaners$Action.run:()V
import java.lang.ref.Cleaner;
public class Cleaners {
    static volatile boolean cleaned;
    public static void main(String[] arguments) throws InterruptedException {
        Cleaner.create().register(new Object(), new Action());
        for (int tries = 0; tries < 200 && !cleaned; tries++) {
            System.gc();
            Thread.sleep(5);
        }
    }
    static class Action implements Runnable { public void run() { cleaned = true; } }
}
