package lapidary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of the worker: the adapter's class, then options. */
final class Arguments {
    private String adapter;
    final List<Path> libraries = new ArrayList<>();
    boolean remember = true;
    long secondsPerClass = 60;

    static Arguments parse(String[] words) {
        Arguments result = new Arguments();
        for (String word : words) {
            if (word.startsWith("--library=")) {
                result.libraries.add(Path.of(word.substring("--library=".length())));
            } else if (word.startsWith("--seconds-per-class=")) {
                result.secondsPerClass = Long.parseLong(word.substring("--seconds-per-class=".length()));
            } else if (word.equals("--forget")) {
                result.remember = false;
            } else {
                result.adapter = word;
            }
        }
        return result;
    }

    /** Loads only this adapter, so only its decompiler must be on the class path. */
    Decompiler decompiler() throws ReflectiveOperationException {
        return (Decompiler) Class.forName("lapidary." + adapter).getDeclaredConstructor().newInstance();
    }
}
