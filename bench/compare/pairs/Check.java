import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;

/**
 * Runs both versions of each pair that standard input names (class, method, expected, input; tabs between) and answers with one
 * line each. A difference must show on the input; equivalent methods get random inputs, a million or as many as two seconds of CPU time allow.
 * The column "random" says after how many random inputs a difference was met, or how many were tried.
 */
public class Check {
    private static final int TRIES = 1_000_000;
    private static final long NANOSECONDS = 2_000_000_000L;
    private static final PrintStream TERMINAL = System.out;

    private final Method before;
    private final Method after;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private Check(Method before, Method after) {
        this.before = before;
        this.after = after;
        System.setOut(new PrintStream(printed, true));
    }

    public static void main(String[] args) throws Exception {
        ClassLoader old = loader(args[0]);
        ClassLoader changed = loader(args[1]);
        BufferedReader rows = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String row = rows.readLine(); row != null; row = rows.readLine()) {
            String[] cells = row.split("\t", -1);
            Check check = new Check(method(old, cells[0], cells[1]), method(changed, cells[0], cells[1]));
            TERMINAL.println(cells[0] + "." + cells[1] + "\t" + check.verdict(cells[2], cells[3]));
        }
    }

    private String verdict(String expected, String input) {
        String random = random();
        if (expected.equals("equivalent")) {
            return (random.startsWith("met") ? "WRONG" : "ok") + "\t" + random;
        }
        End old = run(before, Inputs.parse(before, input));
        End changed = run(after, Inputs.parse(after, input));
        return (old.equals(changed) ? "WRONG" : "ok") + "\t" + random + "\t" + old + " / " + changed;
    }

    private String random() {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long start = clock.getCurrentThreadCpuTime();
        for (int seed = 1; seed <= TRIES; seed++) {
            Object[] once = Inputs.random(before, random(seed));
            Object[] again = Inputs.random(after, random(seed));
            if (!run(before, once).equals(run(after, again)) || !Arrays.deepEquals(once, again)) {
                return "met after " + seed + ": " + Inputs.show(Inputs.random(before, random(seed)));
            }
            if (clock.getCurrentThreadCpuTime() - start > NANOSECONDS) {
                return "none in " + seed;
            }
        }
        return "none in " + TRIES;
    }

    /** Neighbouring seeds begin alike in the library's generator; a product scatters them. */
    private static Random random(int seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L);
    }

    private End run(Method method, Object[] inputs) {
        printed.reset();
        try {
            Object result = method.invoke(null, inputs);
            return new End(printed.toString(), result, null);
        } catch (InvocationTargetException thrown) {
            return new End(printed.toString(), null, thrown.getCause().toString());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What a caller sees: what was printed, and the result or the exception. Doubles are equal if their bits are. */
    private record End(String printed, Object result, String thrown) {
        @Override
        public boolean equals(Object other) {
            End end = (End) other;
            return printed.equals(end.printed) && Objects.deepEquals(result, end.result) && Objects.equals(thrown, end.thrown);
        }

        @Override
        public int hashCode() {
            return printed.hashCode();
        }

        @Override
        public String toString() {
            String end = thrown == null ? "returns " + Inputs.show(result) : "throws " + thrown;
            return printed.isEmpty() ? end : "prints " + Inputs.show(printed) + ", " + end;
        }
    }

    private static ClassLoader loader(String classes) throws Exception {
        return new URLClassLoader(new URL[] {Path.of(classes).toUri().toURL()}, null);
    }

    private static Method method(ClassLoader loader, String type, String name) throws Exception {
        for (Method method : loader.loadClass(type).getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        throw new NoSuchMethodException(type + "." + name);
    }
}
