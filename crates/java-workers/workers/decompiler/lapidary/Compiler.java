package lapidary;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The JDK's compiler, with sources in memory. Its class files are discarded; only its errors count.
 */
final class Compiler {
    private static final List<String> OPTIONS =
            List.of("-proc:none", "-nowarn", "-Xmaxwarns", "1", "-Xmaxerrs", "1000", "-encoding", "utf8");

    /**
     * The printed form of an error. It differs in places from what listeners receive, and people
     * compare it with what they see.
     */
    private static final Pattern ERROR = Pattern.compile("([^ :]*\\.java):[0-9]*: error: (.*)");

    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    private final JavaFileManager files;

    Compiler(List<Path> libraries) throws IOException {
        StandardJavaFileManager standard = javac.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8);
        standard.setLocationFromPaths(StandardLocation.CLASS_PATH, libraries);
        files = new InMemory(standard);
    }

    /**
     * The errors in the order in which the compiler found them, as lines "path: message" without
     * line numbers.
     */
    List<String> errors(Map<String, String> sources) {
        List<Source> units = new ArrayList<>();
        sources.forEach((path, text) -> units.add(new Source(path, text)));
        if (units.isEmpty()) {
            return List.of();
        }
        StringWriter output = new StringWriter();
        try {
            javac.getTask(output, files, null, OPTIONS, null, units).call();
        } catch (RuntimeException | StackOverflowError crashed) {
            output.append("\n(compiler).java:0: error: failed: ").append(crashed.getClass().getName());
        }
        return output.toString().lines().map(ERROR::matcher).filter(Matcher::matches).map(Compiler::withoutLine).toList();
    }

    private static String withoutLine(Matcher error) {
        return error.group(1) + ": " + error.group(2);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String path;
        private final String text;

        Source(String path, String text) {
            super(URI.create("memory:///" + path.replaceAll("[^A-Za-z0-9_/.$]", "_")), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        /** The name of the file in error messages. */
        @Override
        public String getName() {
            return path;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        /**
         * A public class must be in a file of its name, which need not be a valid part of a URI.
         */
        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE && (path.equals(simpleName + ".java") || path.endsWith("/" + simpleName + ".java"));
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        InMemory(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///out"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return OutputStream.nullOutputStream();
                }
            };
        }
    }
}
