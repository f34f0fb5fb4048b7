package lapidary.verifier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A small program that is compiled as a whole and then damaged: some sources are compiled again in
 * another form, and some classes are removed.
 *
 * Separate compilation produces every kind of invalid class that a wrong reduction can produce,
 * without an assembler.
 */
final class Scenario implements AutoCloseable {
    private final Path root;
    private final Path classes;

    Scenario(String... sources) {
        try {
            root = Files.createTempDirectory("verifier-test");
            classes = Files.createDirectory(root.resolve("classes"));
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
        compile(classes, sources);
    }

    /**
     * Compiles other forms of some classes against the whole program, and replaces the first ones.
     */
    Scenario replacedBy(String... sources) {
        compile(classes, sources);
        return this;
    }

    Scenario without(String className) throws IOException {
        Files.delete(file(className));
        return this;
    }

    /** Rewrites the version of a class, so that the old verifier without stack maps checks it. */
    Scenario withVersion(int major, String className) throws IOException {
        byte[] bytes = Files.readAllBytes(file(className));
        bytes[7] = (byte) major;
        Files.write(file(className), bytes);
        return this;
    }

    Scenario truncated(String className, int length) throws IOException {
        byte[] bytes = Files.readAllBytes(file(className));
        Files.write(file(className), java.util.Arrays.copyOf(bytes, length));
        return this;
    }

    Path classes() {
        return classes;
    }

    /** All problems of the program in its current state; those of the source are marked. */
    List<String> problems() throws IOException {
        return texts(judge(List.of()).judge(classes));
    }

    static Judge judge(List<Path> classPath) throws IOException {
        return new Judge(classPath, new Judge.Settings(Runtime.version(), false));
    }

    static List<String> texts(Report report) {
        return report.problems().stream()
                .map(problem -> (problem.judge() == Problem.Judge.SOURCE ? "source: " : "") + problem.text())
                .toList();
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Path file(String className) {
        return classes.resolve(className + ".class");
    }

    private void compile(Path target, String... sources) {
        try {
            Path folder = Files.createTempDirectory(root, "sources");
            List<String> arguments = new ArrayList<>(List.of("-proc:none", "-g", "-nowarn", "-cp", classes.toString(), "-d", target.toString()));
            for (String source : sources) {
                Path file = folder.resolve(nameOf(source) + ".java");
                Files.writeString(file, source);
                arguments.add(file.toString());
            }
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
                throw new AssertionError("the scenario does not compile");
            }
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private static String nameOf(String source) {
        var matcher = java.util.regex.Pattern.compile("(?:class|interface|enum|record) (\\w+)").matcher(source);
        if (!matcher.find()) {
            throw new AssertionError("no class in " + source);
        }
        return matcher.group(1);
    }
}
