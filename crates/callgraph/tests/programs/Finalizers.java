// The garbage collector calls finalizers.
// weakness: no-finalizers
// loses: Finalizers.finalize:()V
public class Finalizers {
    static volatile boolean finalized;
    public static void main(String[] arguments) throws InterruptedException {
        new Finalizers();
        for (int tries = 0; tries < 200 && !finalized; tries++) {
            System.gc();
            Thread.sleep(5);
        }
    }
    @Override @Deprecated protected void finalize() { finalized = true; }
}
