package lapidary.verifier;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the running JVM whether candidates are valid: every class passes the verifier and every
 * reference resolves.
 *
 * Without `--once`, reads one candidate per line until the input ends, and answers each
 * immediately.
 */
public final class VerifyWorker {
    private static final String USAGE = """
            usage: verify [--classpath A.jar:B.jar] [--baseline ORIGINAL] [--release N] [--reflect-annotations]
                          [--worker | --once CANDIDATE...]
            A candidate is a jar or a directory of classes. Without --once, candidates are read from standard input;
            with --worker, the greeting of the worker protocol comes first.
            """;

    private static final String GREETING = "{\"lapidary\":1}\n";

    private VerifyWorker() {}

    /** The parsed command line. */
    private static final class Options {
        final List<Path> classPath = new ArrayList<>();
        final List<Path> once = new ArrayList<>();
        Path baseline;
        Runtime.Version release = Runtime.version();
        boolean isOnce;
        boolean greets;
        boolean reflectAnnotations;
    }

    public static void main(String[] arguments) {
        Options options;
        try {
            options = parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.err.print(USAGE);
            System.exit(2);
            return;
        }
        System.exit(run(options));
    }

    private static int run(Options options) {
        try {
            Judge judge = new Judge(options.classPath, new Judge.Settings(options.release, options.reflectAnnotations));
            if (options.baseline != null) {
                announce(judge.useBaseline(options.baseline));
            }
            return options.isOnce ? judgeAll(judge, options.once) : serve(judge, options.greets ? GREETING : "");
        } catch (IOException unreadable) {
            System.err.println("verify: " + unreadable);
            return 2;
        }
    }

    /**
     * Reports the baseline. A class that does not link even in the original hides the problems
     * inside it, so the number of such classes is shown.
     */
    private static void announce(Report original) {
        System.err.println("verify: baseline: " + original.text().lines().findFirst().orElse(""));
    }

    private static int judgeAll(Judge judge, List<Path> candidates) {
        int exitCode = 0;
        for (Path candidate : candidates) {
            Report report = judge.judge(candidate);
            System.out.print(candidate + ": " + report.text());
            exitCode = Math.max(exitCode, report.exitCode());
        }
        return exitCode;
    }

    private static int serve(Judge judge, String greeting) throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        out.print(greeting);
        out.flush();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank()) {
                out.print(answer(judge, Request.parse(line)));
                out.flush();
            }
        }
        return 0;
    }

    private static String answer(Judge judge, Request request) {
        if (request.candidate() == null) {
            return request.answer(1, "the request names no candidate\n");
        }
        try {
            Report report = judge.judge(Path.of(request.candidate()));
            return request.answer(report.exitCode(), report.text());
        } catch (InvalidPathException noPath) {
            return request.answer(1, noPath.getMessage() + "\n");
        }
    }

    private static Options parse(String[] arguments) {
        Options options = new Options();
        for (int i = 0; i < arguments.length; i++) {
            if (options.isOnce) {
                options.once.add(Path.of(arguments[i]));
                continue;
            }
            switch (arguments[i]) {
                case "--classpath" -> addClassPath(options, value(arguments, ++i));
                case "--baseline" -> options.baseline = Path.of(value(arguments, ++i));
                case "--release" -> options.release = Runtime.Version.parse(value(arguments, ++i));
                case "--reflect-annotations" -> options.reflectAnnotations = true;
                case "--worker" -> options.greets = true;
                case "--once" -> options.isOnce = true;
                default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
            }
        }
        return options;
    }

    private static void addClassPath(Options options, String classPath) {
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                options.classPath.add(Path.of(entry));
            }
        }
    }

    private static String value(String[] arguments, int index) {
        if (index >= arguments.length) {
            throw new IllegalArgumentException(arguments[index - 1] + " needs a value");
        }
        return arguments[index];
    }
}
