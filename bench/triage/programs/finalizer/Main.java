// expects: bug no-finalizers (finalizer)
package finalizer;

public class Main {
    static volatile boolean isDone;

    static class Doomed {
        @Override protected void finalize() { isDone = true; }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100 && !isDone; i++) {
            new Doomed();
            System.gc();
            Thread.sleep(20);
        }
    }
}
