package lapidary.replay;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * Calls a method repeatedly, and reports everything observable about each call: how it ended, its
 * result, the state of its arguments afterwards, and its output. Calls are given as for {@link
 * Tester}. Each answer is four texts in hexadecimal digits, separated by tabs. The last arguments
 * are fields to ignore.
 *
 * <pre>Observer CLASS METHOD DESCRIPTOR MILLISECONDS UNSEEN...</pre>
 */
public final class Observer {
    private Observer() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setIn(InputStream.nullInputStream());
        Target target = Target.find(arguments[0], arguments[1], arguments[2]);
        Contents.unseen = Set.copyOf(Arrays.asList(arguments).subList(4, arguments.length));
        Tester.watch(answers, Long.parseLong(arguments[3]));
        Tester.say(answers, "ready");
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            Tester.begun = System.currentTimeMillis();
            String answer = answer(target, call);
            Tester.begun = 0;
            Tester.say(answers, answer);
        }
        Runtime.getRuntime().halt(0);
    }

    private static String answer(Target target, String call) {
        String[] words = call.split("\t");
        Inputs.restart(new Dice(Long.parseLong(words[0])));
        for (int at = 1; at < words.length; at++) {
            Inputs.give(words[at]);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        String ending;
        Object[] inputs = new Object[0];
        try {
            inputs = Inputs.of(target);
        } catch (NotAllowed refused) {
            return "refused";
        } catch (ReflectiveOperationException | RuntimeException | LinkageError failed) {
            return "failed\t" + failed;
        }
        try {
            ending = "returned " + Contents.of(target.result(inputs));
        } catch (NotAllowed refused) {
            return "refused";
        } catch (Throwable thrown) {
            ending = "threw " + thrown.getClass().getName() + ": " + message(thrown);
        }
        String left = Contents.of(inputs);
        String[] texts = {ending, left, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8)};
        return String.join("\t", Arrays.stream(texts).map(text -> "T:" + Report.digits(text)).toList());
    }

    /**
     * The message of an exception. The JVM explains a null with names of variables, which say
     * nothing about the behaviour of the program.
     */
    private static String message(Throwable thrown) {
        String message = thrown.getMessage();
        boolean explains = thrown instanceof NullPointerException && message != null && message.startsWith("Cannot ");
        return explains ? "" : message;
    }
}
