package lapidary;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs what may throw, run in circles, or need more stack or memory than there is, and survives it. */
final class Attempt {
    static final String TIME_LIMIT = "time limit";
    private static final long STACK = 64L << 20;

    private final long seconds;
    private ExecutorService thread = newThread();
    private boolean exhausted;

    /** @param seconds how long one attempt may take */
    Attempt(long seconds) {
        this.seconds = seconds;
    }

    /** A value, or the failure in words. */
    record Result<T>(T value, String failure) {}

    <T> Result<T> run(Callable<T> task) {
        return run(task, seconds);
    }

    /** For what nobody but the one who waits for the answer can limit. */
    <T> Result<T> runWithoutLimit(Callable<T> task) {
        return run(task, Long.MAX_VALUE / 1000);
    }

    /** Whether this process is better replaced: a thread of it runs in circles, or there was no memory left. */
    boolean isExhausted() {
        return exhausted;
    }

    private <T> Result<T> run(Callable<T> task, long limit) {
        Future<T> future = thread.submit(task);
        try {
            return new Result<>(future.get(limit, TimeUnit.SECONDS), null);
        } catch (ExecutionException thrown) {
            exhausted |= thrown.getCause() instanceof OutOfMemoryError;
            return new Result<>(null, thrown.getCause().getClass().getName());
        } catch (TimeoutException late) {
            future.cancel(true);
            exhausted = true;
            thread = newThread();
            return new Result<>(null, TIME_LIMIT);
        } catch (InterruptedException nobodyInterruptsUs) {
            throw new IllegalStateException(nobodyInterruptsUs);
        }
    }

    private static ExecutorService newThread() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(null, task, "attempt", STACK);
            thread.setDaemon(true);
            return thread;
        });
    }
}
