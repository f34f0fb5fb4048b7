// expects: bug no-shutdown-hooks (shutdown hook)
package shutdown_hook;

public class Main {
    static class Goodbye extends Thread {
        @Override public void run() { System.out.println("goodbye"); }
    }

    public static void main(String[] args) { Runtime.getRuntime().addShutdownHook(new Goodbye()); }
}
