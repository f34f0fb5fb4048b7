// expects: sound
package synchronised;

public class Main {
    private int count;
    synchronized void add() { count++; }
    int get() { synchronized (this) { return count; } }

    public static void main(String[] args) throws Exception {
        Main main = new Main();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) (threads[i] = new Thread(main::add)).start();
        for (Thread thread : threads) thread.join();
        System.out.println(main.get());
    }
}
