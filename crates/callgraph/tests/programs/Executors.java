// The threads of a pool run the tasks they are given.
// needs: the whole library
// weakness: no-executors
// loses: Executors.run:()V
import java.util.concurrent.*;
public class Executors implements Runnable {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        pool.execute(new Executors());
        pool.submit(new Question()).get();
        pool.shutdown();
    }
    public void run() {}
    static class Question implements Callable<Object> { public Object call() { return this; } }
}
