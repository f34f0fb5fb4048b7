// expects: bug no-event-queue (event queue)
package event_queue;

public class Main {
    static class Later implements Runnable {
        @Override public void run() { System.out.println("reached"); }
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.awt.headless", "true");
        java.awt.EventQueue.invokeAndWait(new Later());
    }
}
