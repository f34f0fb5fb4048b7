// expects: bug no-threads (thread)
package thread;

public class Main {
    static class Worker extends Thread {
        @Override public void run() { System.out.println("working"); }
    }

    public static void main(String[] args) throws Exception {
        Thread worker = new Worker();
        worker.start();
        worker.join();
    }
}
