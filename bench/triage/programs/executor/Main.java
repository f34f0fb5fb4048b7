// expects: bug no-executors (executor)
package executor;

import java.util.concurrent.*;

public class Main {
    static class Task implements Runnable {
        @Override public void run() { System.out.println("run"); }
    }

    public static void main(String[] args) {
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        pool.execute(new Task());
        pool.shutdown();
    }
}
