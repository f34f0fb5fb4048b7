package lapidary;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The classes of the candidate: a directory or a jar, whose classes are known by the names they should have. */
final class Classes {
    private static final String SUFFIX = ".class";

    private final TreeMap<String, byte[]> content = new TreeMap<>();
    private final Map<String, ClassShape> shapes = new HashMap<>();

    /** Brings them up to date with a candidate that differs from the last one in what changed and was removed. */
    void update(Path candidate, List<String> changed, List<String> removed) throws IOException {
        if (!Files.isDirectory(candidate)) {
            readJar(candidate);
            return;
        }
        removed.forEach(this::remove);
        for (String path : changed) {
            if (path.endsWith(SUFFIX)) {
                put(path, Files.readAllBytes(candidate.resolve(path)));
            }
        }
    }

    private void readJar(Path jar) throws IOException {
        Map<String, byte[]> entries = new HashMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
                if (entry.getName().endsWith(SUFFIX) && !entry.getName().startsWith("META-INF/")) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        entries.put(entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
        new ArrayList<>(content.keySet()).forEach(name -> {
            if (!entries.containsKey(name + SUFFIX)) {
                remove(name + SUFFIX);
            }
        });
        entries.forEach(this::put);
    }

    private void put(String path, byte[] bytes) {
        String name = path.substring(0, path.length() - SUFFIX.length());
        // A module declaration is no class, and nobody compiles it without the modules it names.
        if (!name.endsWith("module-info")) {
            content.put(name, bytes);
            shapes.put(name, ClassShape.of(bytes));
        }
    }

    private void remove(String path) {
        if (path.endsWith(SUFFIX)) {
            String name = path.substring(0, path.length() - SUFFIX.length());
            content.remove(name);
            shapes.remove(name);
        }
    }

    /** The class file, or null if the candidate has no such class. */
    byte[] find(String name) {
        return content.get(name);
    }

    /** All names in order, nested classes included. */
    Collection<String> names() {
        return content.keySet();
    }

    /** Whether a class has its source in the file of another one that is there. */
    boolean isNested(String name) {
        return !outermost(name).equals(name);
    }

    /** The class in whose source file this one is. */
    String outermost(String name) {
        String current = name;
        for (int depth = 0; depth < 100; depth++) {
            ClassShape shape = shapes.get(current);
            if (shape == null || shape.nestedIn == null || !shapes.containsKey(shape.nestedIn)) {
                break;
            }
            current = shape.nestedIn;
        }
        return current;
    }

    /** What the source of one class can depend on of another: all, if it shares the file, else how it looks from outside. */
    Digest seenFrom(String viewer, String name) {
        ClassShape shape = shapes.get(name);
        if (shape == null) {
            return null;
        }
        return outermost(name).equals(viewer) ? shape.content : shape.signature;
    }
}
