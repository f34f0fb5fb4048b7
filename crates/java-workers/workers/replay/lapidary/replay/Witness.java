package lapidary.replay;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes calls like {@link Observer}, each with classes that are loaded for it alone, so that static
 * fields have their initial values. Each answer has what a test can assert: the report of {@link
 * Replay}, the contents of the result, the contents of each input before and after the call, and
 * the output.
 *
 * <pre>Witness CLASS METHOD DESCRIPTOR MILLISECONDS UNSEEN...</pre>
 */
public final class Witness {
    private Witness() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setIn(InputStream.nullInputStream());
        URL[] classPath = classPath();
        Tester.watch(answers, Long.parseLong(arguments[3]));
        Tester.say(answers, "ready");
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            Tester.begun = System.currentTimeMillis();
            String answer = answerOfFreshClasses(classPath, arguments, call);
            Tester.begun = 0;
            Tester.say(answers, answer);
        }
        Runtime.getRuntime().halt(0);
    }

    private static URL[] classPath() throws Exception {
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
            places.add(Path.of(place).toUri().toURL());
        }
        return places.toArray(new URL[0]);
    }

    private static String answerOfFreshClasses(URL[] classPath, String[] arguments, String call) {
        try (URLClassLoader fresh = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(fresh);
            Method answer = fresh.loadClass(Witness.class.getName()).getDeclaredMethod("answer", String[].class, String.class);
            answer.setAccessible(true);
            return (String) answer.invoke(null, arguments, call);
        } catch (InvocationTargetException failed) {
            return "failed\t" + failed.getCause();
        } catch (Exception failed) {
            return "failed\t" + failed;
        }
    }

    /** The answer to one call; the first word says how many identity hash codes to use up first. */
    private static String answer(String[] arguments, String call) throws ReflectiveOperationException {
        String[] words = call.split("\t");
        for (int left = Integer.parseInt(words[0]); left > 0; left--) {
            System.identityHashCode(new Object());
        }
        Arrays.stream(words).skip(1).forEach(Inputs::give);
        Contents.unseen = Set.copyOf(Arrays.asList(arguments).subList(4, arguments.length));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        Target target = Target.find(arguments[0], arguments[1], arguments[2]);
        Object[] inputs;
        try {
            inputs = Inputs.of(target);
        } catch (NotAllowed refused) {
            return "refused";
        }
        String before = each(inputs);
        String report;
        Object result = null;
        try {
            result = target.result(inputs);
            report = Report.returned(target, result);
        } catch (Throwable thrown) {
            report = Report.thrown(thrown);
        }
        if (report.equals("refused")) {
            return report;
        }
        return String.join("\t", Report.digits(report), Report.digits(Contents.of(result)), before, each(inputs),
            Report.digits(out.toString(StandardCharsets.UTF_8)), Report.digits(err.toString(StandardCharsets.UTF_8)));
    }

    private static String each(Object[] values) {
        return Arrays.stream(values).map(value -> Report.digits(Contents.of(value))).collect(Collectors.joining(","));
    }
}
