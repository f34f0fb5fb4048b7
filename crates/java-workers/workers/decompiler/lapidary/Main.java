package lapidary;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A worker for Lapidary that decompiles each candidate and compiles the result: one process for all
 * candidates.
 *
 * <p>The stdout of an answer holds the compiler's errors, sorted, each as a line "path: message".
 * The exit code is 0 if there are any.
 */
public final class Main {
    private final Classes classes = new Classes();
    private final Attempt attempt;
    private final Sources sources;
    private final Compiler compiler;

    private Main(Arguments arguments) throws Exception {
        attempt = new Attempt(arguments.secondsPerClass);
        sources = new Sources(arguments.decompiler(), attempt, arguments.remember);
        compiler = new Compiler(arguments.libraries);
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        PrintStream err = System.err;
        // Decompilers print messages. Stdout is reserved for answers, and stderr for failures of
        // the worker itself.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            serve(Arguments.parse(arguments), out);
        } catch (Throwable failure) {
            err.print("the worker for decompilers failed: ");
            failure.printStackTrace(err);
            err.flush();
            System.exit(1);
        }
        // This also ends threads that loop forever.
        System.exit(0);
    }

    private static void serve(Arguments arguments, PrintStream out) throws Exception {
        Main worker = new Main(arguments);
        say(out, Map.of("lapidary", 1));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            say(out, worker.answer((Map<?, ?>) Json.parse(line)));
            if (worker.attempt.isExhausted()) {
                break;
            }
        }
    }

    private static void say(PrintStream out, Map<String, Object> message) {
        StringBuilder line = new StringBuilder();
        Json.write(message, line);
        out.print(line.append('\n'));
        out.flush();
    }

    private Map<String, Object> answer(Map<?, ?> request) throws IOException {
        long start = System.nanoTime();
        Path candidate = Path.of((String) request.get("candidate"));
        classes.update(candidate, strings(request.get("changed")), strings(request.get("removed")));
        sources.update(candidate, classes);
        long middle = System.nanoTime();
        List<String> errors = new ArrayList<>(sources.failures);
        Attempt.Result<List<String>> compiled = attempt.runWithoutLimit(() -> compiler.errors(sources.files));
        errors.addAll(compiled.failure() == null ? compiled.value() : List.of("(compiler): failed: " + compiled.failure()));
        errors.sort(null);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", request.get("id"));
        answer.put("exit", errors.isEmpty() ? 1 : 0);
        answer.put("stdout", errors.isEmpty() ? "" : String.join("\n", errors) + "\n");
        answer.put("errors", errors.size());
        answer.put("files", sources.files.size());
        answer.put("decompiled", sources.decompiled);
        answer.put("milliseconds_decompiling", (middle - start) / 1_000_000);
        answer.put("milliseconds_compiling", (System.nanoTime() - middle) / 1_000_000);
        return answer;
    }

    private static List<String> strings(Object list) {
        return ((List<?>) list).stream().map(String.class::cast).toList();
    }
}
