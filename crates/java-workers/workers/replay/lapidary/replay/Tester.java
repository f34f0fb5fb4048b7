package lapidary.replay;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Calls a method repeatedly. Each line of standard input is a call: a seed and the words of the
 * inputs, separated by tabs. Each line of standard output is the outcome and, after two consecutive
 * tabs, the words of the values that the program requested.
 *
 * <pre>Tester CLASS METHOD DESCRIPTOR MILLISECONDS</pre>
 */
public final class Tester {
    private static final long WATCHED_EVERY = 20;
    private static final long PATIENCE = 4;
    static volatile long begun;

    private Tester() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        System.setIn(InputStream.nullInputStream());
        Target target = Target.find(arguments[0], arguments[1], arguments[2]);
        watch(answers, Long.parseLong(arguments[3]));
        say(answers, "ready");
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            begun = System.currentTimeMillis();
            String ending = answer(target, call);
            begun = 0;
            say(answers, ending);
        }
        // Threads that the program left behind must not keep the JVM alive.
        Runtime.getRuntime().halt(0);
    }

    static synchronized void say(PrintStream answers, String line) {
        answers.println(line);
        answers.flush();
    }

    /**
     * Ends the JVM when a call takes too long, because the call itself cannot be stopped. The limit
     * counts the CPU time of a call. A call that only waits gets {@link #PATIENCE} times as long,
     * because the computer may be busy.
     */
    static void watch(PrintStream answers, long limit) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long caller = Thread.currentThread().getId();
        Thread watcher = new Thread(() -> {
            long watched = 0;
            long before = 0;
            while (true) {
                long since = begun;
                long worked = clock.getThreadCpuTime(caller);
                if (since != watched) {
                    watched = since;
                    before = worked;
                }
                boolean isOver = worked - before > limit * 1_000_000 || System.currentTimeMillis() - since > PATIENCE * limit;
                if (since != 0 && isOver) {
                    say(answers, "timeout");
                    Runtime.getRuntime().halt(0);
                }
                try {
                    Thread.sleep(WATCHED_EVERY);
                } catch (InterruptedException ignored) {
                    // The program may interrupt any thread.
                }
            }
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private static String answer(Target target, String call) {
        String[] words = call.split("\t");
        Dice dice = new Dice(Long.parseLong(words[0]));
        Inputs.restart(dice);
        for (int at = 1; at < words.length; at++) {
            Inputs.give(words[at]);
        }
        try {
            return Report.of(target, Inputs.of(target)) + asked(dice.thrown());
        } catch (NotAllowed refused) {
            return "refused";
        } catch (LinkageError | VirtualMachineError thrown) {
            return Report.thrown(thrown) + asked(dice.thrown());
        } catch (ReflectiveOperationException | RuntimeException failed) {
            return "failed\t" + failed;
        }
    }

    private static String asked(List<String> words) {
        return words.isEmpty() ? "" : "\t\t" + String.join("\t", words);
    }
}
