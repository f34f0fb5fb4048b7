package lapidary.replay;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls a method again and again. Each line of standard input is a call: a seed and the words of the inputs, with tabs between them. Each
 * line of standard output is how it ended, and behind a second tab in a row the words of what the program asked for.
 *
 * <pre>Tester CLASS METHOD DESCRIPTOR MILLISECONDS</pre>
 */
public final class Tester {
    private Tester() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        System.setIn(InputStream.nullInputStream());
        Target target = Target.find(arguments[0], arguments[1], arguments[2]);
        long limit = Long.parseLong(arguments[3]);
        ExecutorService runner = Executors.newSingleThreadExecutor(Tester::daemon);
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            String ending = answer(target, call, runner, limit);
            answers.println(ending);
            answers.flush();
            if (ending.startsWith("timeout")) {
                break;
            }
        }
        // Threads that the program left behind, or a call that does not end, must not keep the machine.
        Runtime.getRuntime().halt(0);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    private static String answer(Target target, String call, ExecutorService runner, long limit) throws InterruptedException {
        String[] words = call.split("\t");
        Dice dice = new Dice(Long.parseLong(words[0]));
        Inputs.restart(dice);
        for (int at = 1; at < words.length; at++) {
            Inputs.give(words[at]);
        }
        Future<String> running = runner.submit(() -> target.call(target.inputs()));
        try {
            return running.get(limit, TimeUnit.MILLISECONDS) + asked(dice.thrown());
        } catch (TimeoutException late) {
            return "timeout" + asked(dice.thrown());
        } catch (ExecutionException failed) {
            return failed.getCause() instanceof NotAllowed ? "refused" : "failed\t" + failed.getCause();
        }
    }

    private static String asked(List<String> words) {
        return words.isEmpty() ? "" : "\t\t" + String.join("\t", words);
    }
}
