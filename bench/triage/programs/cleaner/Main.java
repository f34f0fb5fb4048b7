// expects: bug no-cleaners (cleaner)
package cleaner;

import java.lang.ref.Cleaner;

public class Main {
    static volatile boolean isDone;

    static class Action implements Runnable {
        @Override public void run() { isDone = true; }
    }

    public static void main(String[] args) throws Exception {
        Cleaner cleaner = Cleaner.create();
        cleaner.register(new Object(), new Action());
        for (int i = 0; i < 100 && !isDone; i++) {
            System.gc();
            Thread.sleep(20);
        }
    }
}
