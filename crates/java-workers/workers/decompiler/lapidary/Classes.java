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
 * The classes of the candidate, which is a directory or a jar. They are identified by the names in
 * the class files, because in a web archive or an executable jar they are below a folder that is
 * not a package.
 */
final class Classes {
    private static final String SUFFIX = ".class";

    private final TreeMap<String, ClassFile> byPath = new TreeMap<>();
    private final TreeMap<String, ClassFile> byName = new TreeMap<>();

    private record ClassFile(byte[] bytes, ClassShape shape) {}

    /**
     * Updates the classes for a candidate that differs from the last one in the changed and removed
     * files.
     */
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
        // If two files claim the same name, the first one counts.
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

    /**
     * Whether a file holds a class. Files below META-INF are other versions of classes, and a
     * module declaration is not a class.
     */
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

    /** All names in order, including nested classes. */
    Collection<String> names() {
        return byName.keySet();
    }

    /** Whether the source of a class belongs in the file of another class that is present. */
    boolean isNested(String name) {
        return !outermost(name).equals(name);
    }

    /** The class whose source file contains this one. */
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

    /**
     * A digest of the parts of one class that the source of another can depend on: everything if
     * they share a file, otherwise the visible signature.
     */
    Digest seenFrom(String viewer, String name) {
        ClassFile file = byName.get(name);
        if (file == null) {
            return null;
        }
        return outermost(name).equals(viewer) ? file.shape.content : file.shape.signature;
    }
}
