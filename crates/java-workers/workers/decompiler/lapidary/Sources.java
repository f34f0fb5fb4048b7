package lapidary;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Decompiles candidates. A decompiler that works on one class at a time is asked only about classes
 * for which something it read has changed. While it works, every class file it requests is
 * recorded, and its output is reused as long as all of those look the same.
 */
final class Sources {
    /** The number of versions of a class to cache. */
    private static final int VERSIONS = 24;

    private final Decompiler decompiler;
    private final Attempt attempt;
    private final boolean remember;
    private final Map<String, Deque<Made>> made = new HashMap<>();

    /** The source files by path, and the failures. */
    final Map<String, String> files = new TreeMap<>();
    final List<String> failures = new ArrayList<>();
    int decompiled;

    Sources(Decompiler decompiler, Attempt attempt, boolean remember) {
        this.decompiler = decompiler;
        this.attempt = attempt;
        this.remember = remember;
    }

    void update(Path candidate, Classes classes) {
        files.clear();
        failures.clear();
        decompiled = 0;
        if (decompiler instanceof Decompiler.OneByOne oneByOne) {
            classes.names().forEach(name -> add(name, source(oneByOne, name, classes)));
        } else {
            allAtOnce((Decompiler.AllAtOnce) decompiler, candidate, classes);
        }
    }

    private void add(String name, Made source) {
        if (source.text != null) {
            files.put(name + ".java", source.text);
        }
        if (source.failure != null) {
            failures.add(failed(name, source.failure));
        }
    }

    private Made source(Decompiler.OneByOne oneByOne, String name, Classes classes) {
        Deque<Made> versions = made.computeIfAbsent(name, unknown -> new ArrayDeque<>());
        for (Made version : versions) {
            if (version.stillHolds(name, classes)) {
                versions.remove(version);
                versions.addFirst(version);
                return version;
            }
        }
        Made fresh = make(oneByOne, name, classes);
        decompiled++;
        if (remember && fresh.isRepeatable()) {
            versions.addFirst(fresh);
            if (versions.size() > VERSIONS) {
                versions.removeLast();
            }
        }
        return fresh;
    }

    private Made make(Decompiler.OneByOne oneByOne, String name, Classes classes) {
        Map<String, Digest> looked = new LinkedHashMap<>();
        Function<String, byte[]> classFiles = wanted -> {
            looked.put(wanted, classes.seenFrom(name, wanted));
            return classes.find(wanted);
        };
        // Only a class that is not nested gets a file.
        looked.put(name, classes.seenFrom(name, name));
        boolean nested = classes.isNested(name);
        if (nested) {
            return new Made(looked, true, null, null);
        }
        Attempt.Result<String> result = attempt.run(() -> oneByOne.decompile(name, classFiles));
        return new Made(looked, false, result.value(), result.failure());
    }

    private void allAtOnce(Decompiler.AllAtOnce allAtOnce, Path candidate, Classes classes) {
        Attempt.Result<Map<String, String>> result = attempt.runWithoutLimit(() -> allAtOnce.decompile(candidate));
        if (result.failure() != null) {
            failures.add("(program): decompiler failed: " + result.failure());
            return;
        }
        decompiled = classes.names().size();
        files.putAll(result.value());
        for (String name : classes.names()) {
            if (!classes.isNested(name) && !files.containsKey(name + ".java")) {
                failures.add(failed(name, "no source"));
            }
        }
    }

    private static String failed(String name, String failure) {
        return name + ".java: decompiler failed: " + failure;
    }

    /** The output of a decompiler for a class, and the classes it read. */
    private record Made(Map<String, Digest> looked, boolean nested, String text, String failure) {
        boolean stillHolds(String name, Classes classes) {
            return nested == classes.isNested(name)
                    && looked.entrySet().stream()
                            .allMatch(entry -> Objects.equals(classes.seenFrom(name, entry.getKey()), entry.getValue()));
        }

        /**
         * Whether the outcome would be the same again. Running out of time or memory depends more
         * on the moment than on the class.
         */
        boolean isRepeatable() {
            return failure == null || !(failure.equals(Attempt.TIME_LIMIT) || failure.contains("OutOfMemory"));
        }
    }
}
