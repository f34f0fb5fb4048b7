/** Says something when it ends. */
public class Reminder {
    static class Goodbye extends Thread {
        @Override public void run() {
            System.out.println("goodbye");
        }
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Goodbye());
    }
}
