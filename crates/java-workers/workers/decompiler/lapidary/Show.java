package lapidary;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Decompiles a program once and writes the sources into a directory, for people to read: adapter,
 * jar, directory. A class that the decompiler cannot do gets a file that says so.
 */
public final class Show {
    private Show() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream err = System.err;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            show(Arguments.parse(new String[] {arguments[0]}), Path.of(arguments[1]), Path.of(arguments[2]));
        } catch (Throwable failure) {
            failure.printStackTrace(err);
            err.flush();
            System.exit(1);
        }
        // This also ends threads that loop forever.
        System.exit(0);
    }

    private static void show(Arguments arguments, Path jar, Path into) throws Exception {
        Classes classes = new Classes();
        classes.update(jar, List.of(), List.of());
        Sources sources = new Sources(arguments.decompiler(), new Attempt(arguments.secondsPerClass), false);
        sources.update(jar, classes);
        for (String failure : sources.failures) {
            int end = failure.indexOf(": ");
            sources.files.putIfAbsent(failure.substring(0, end), "// " + failure.substring(end + 2) + "\n");
        }
        for (var source : sources.files.entrySet()) {
            write(into, source.getKey(), source.getValue());
        }
    }

    /** Names come from class files, so they may lead anywhere, and need not be names of files. */
    private static void write(Path into, String name, String text) throws IOException {
        try {
            Path place = into.resolve(name).normalize();
            if (place.startsWith(into) && name.endsWith(".java")) {
                Files.createDirectories(place.getParent());
                Files.writeString(place, text);
            }
        } catch (InvalidPathException noNameOfAFile) {
            // It is not shown.
        }
    }
}
