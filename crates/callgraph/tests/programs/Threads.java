// A thread runs its own method, or the task it was given.
// needs: the whole library
// weakness: no-threads
// loses: Threads.run:()V Threads$Task.run:()V
public class Threads extends Thread {
    public static void main(String[] arguments) throws InterruptedException {
        Thread own = new Threads(), given = new Thread(new Task());
        own.start();
        given.start();
        own.join();
        given.join();
    }
    @Override public void run() {}
    static class Task implements Runnable { public void run() {} }
}
