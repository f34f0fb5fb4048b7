package lapidary.verifier;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The classes of a jar or of a directory, by the names that their paths give them.
 *
 * A multi-release jar shows the classes that a JVM of the requested release would load. Module
 * descriptors are omitted, because a candidate is judged on the class path, where they are ignored.
 */
final class Candidate {
    private Candidate() {}

    static Map<String, byte[]> read(Path path, Runtime.Version release) throws IOException {
        try {
            return Files.isDirectory(path) ? readDirectory(path) : readJar(path, release);
        } catch (UncheckedIOException wrapped) {
            throw wrapped.getCause();
        }
    }

    private static Map<String, byte[]> readDirectory(Path root) throws IOException {
        Map<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = root.relativize(file).toString();
                if (isClass(name) && Files.isRegularFile(file)) {
                    classes.put(withoutExtension(name), Files.readAllBytes(file));
                }
            }
        }
        return classes;
    }

    private static Map<String, byte[]> readJar(Path path, Runtime.Version release) throws IOException {
        Map<String, byte[]> classes = new TreeMap<>();
        boolean checkSignatures = false;
        try (JarFile jar = new JarFile(path.toFile(), checkSignatures, ZipFile.OPEN_READ, release);
                Stream<JarEntry> entries = jar.versionedStream()) {
            for (JarEntry entry : (Iterable<JarEntry>) entries::iterator) {
                if (isClass(entry.getName())) {
                    classes.put(withoutExtension(entry.getName()), content(jar, entry));
                }
            }
        }
        return classes;
    }

    private static byte[] content(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream stream = jar.getInputStream(entry)) {
            return stream.readAllBytes();
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.equals("module-info.class") && !name.startsWith("META-INF/");
    }

    private static String withoutExtension(String name) {
        return name.substring(0, name.length() - ".class".length());
    }
}
