package lapidary;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs tasks that may throw, loop forever, or exhaust the stack or the memory, and survives them.
 */
final class Attempt {
    static final String TIME_LIMIT = "time limit";
    private static final long STACK = 64L << 20;

    private final long seconds;
    private ExecutorService thread = newThread();
    private boolean exhausted;

    /** @param seconds the time limit of one attempt */
    Attempt(long seconds) {
        this.seconds = seconds;
    }

    /** A value, or a description of the failure. */
    record Result<T>(T value, String failure) {}

    <T> Result<T> run(Callable<T> task) {
        return run(task, seconds);
    }

    /** Runs a task whose time only the caller that waits for the answer can limit. */
    <T> Result<T> runWithoutLimit(Callable<T> task) {
        return run(task, Long.MAX_VALUE / 1000);
    }

    /**
     * Whether this process should be replaced: one of its threads loops forever, or it ran out of
     * memory.
     */
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
