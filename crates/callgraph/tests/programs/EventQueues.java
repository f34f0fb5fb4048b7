// The thread of the event queue runs the tasks it is given.
// needs: the whole library
// weakness: no-event-queue
// loses: EventQueues.run:()V
public class EventQueues implements Runnable {
    public static void main(String[] arguments) throws Exception {
        java.awt.EventQueue.invokeLater(new EventQueues());
        java.awt.EventQueue.invokeAndWait(new EventQueues());
    }
    public void run() {}
}
