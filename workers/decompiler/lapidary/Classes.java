package lapidary;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The classes of the candidate: a directory or a jar. They are known by the names they give themselves, for in a web archive
 * or an executable jar they lie below a folder that is no package.
 */
final class Classes {
    private static final String SUFFIX = ".class";

    private final TreeMap<String, ClassFile> byPath = new TreeMap<>();
    private final TreeMap<String, ClassFile> byName = new TreeMap<>();

    private record ClassFile(byte[] bytes, ClassShape shape) {}

    /** Brings them up to date with a candidate that differs from the last one in what changed and was removed. */
    void update(Path candidate, List<String> changed, List<String> removed) throws IOException {
        if (Files.isDirectory(candidate)) {
            removed.forEach(byPath::remove);
            for (String path : changed) {
                if (isClass(path)) {
                    put(path, Files.readAllBytes(candidate.resolve(path)));
                }
            }
        } else {
            byPath.clear();
            readJar(candidate);
        }
        byName.clear();
        // Of two that claim the same name, the first one counts.
        byPath.forEach((path, file) -> byName.putIfAbsent(nameOf(path, file.shape), file));
    }

    private void readJar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
                if (isClass(entry.getName())) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        put(entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
    }

    private void put(String path, byte[] bytes) {
        byPath.put(path, new ClassFile(bytes, ClassShape.of(bytes)));
    }

    /** What is below META-INF is another version of a class, and a module declaration is none. */
    private static boolean isClass(String path) {
        return path.endsWith(SUFFIX) && !path.startsWith("META-INF/") && !path.endsWith("module-info" + SUFFIX);
    }

    private static String nameOf(String path, ClassShape shape) {
        boolean isNamed = shape.name != null && !shape.name.isEmpty();
        return isNamed ? shape.name : path.substring(0, path.length() - SUFFIX.length());
    }

    /** The class file, or null if the candidate has no such class. */
    byte[] find(String name) {
        ClassFile file = byName.get(name);
        return file == null ? null : file.bytes;
    }

    /** All names in order, nested classes included. */
    Collection<String> names() {
        return byName.keySet();
    }

    /** Whether a class has its source in the file of another one that is there. */
    boolean isNested(String name) {
        return !outermost(name).equals(name);
    }

    /** The class in whose source file this one is. */
    String outermost(String name) {
        String current = name;
        for (int depth = 0; depth < 100; depth++) {
            ClassFile file = byName.get(current);
            if (file == null || file.shape.nestedIn == null || !byName.containsKey(file.shape.nestedIn)) {
                break;
            }
            current = file.shape.nestedIn;
        }
        return current;
    }

    /** What the source of one class can depend on of another: all, if it shares the file, else how it looks from outside. */
    Digest seenFrom(String viewer, String name) {
        ClassFile file = byName.get(name);
        if (file == null) {
            return null;
        }
        return outermost(name).equals(viewer) ? file.shape.content : file.shape.signature;
    }
}
