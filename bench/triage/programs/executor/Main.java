// expects: bug no-executors (executor)
package executor;

import java.util.concurrent.*;

public class Main {
    static class Task implements Callable<String> {
        @Override public String call() { return "called"; }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        System.out.println(pool.submit(new Task()).get());
        pool.shutdown();
    }
}
