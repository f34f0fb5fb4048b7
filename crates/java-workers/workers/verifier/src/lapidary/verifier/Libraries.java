package lapidary.verifier;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part that all candidates share: the libraries of the class path and the running JDK.
 *
 * Their classes are loaded once and looked up once. Absent names are cached as well, because
 * candidates ask for the same missing optional classes again and again.
 */
final class Libraries {
    private final URLClassLoader loader;
    private final Map<String, Optional<ClassFile>> parsed = new HashMap<>();
    private final Set<String> notLoadable = new HashSet<>();

    Libraries(List<Path> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toUri().toURL();
        }
        loader = new URLClassLoader("libraries", urls, ClassLoader.getSystemClassLoader());
    }

    ClassLoader loader() {
        return loader;
    }

    ClassFile find(String name) {
        return parsed.computeIfAbsent(name, this::parse).orElse(null);
    }

    /**
     * The bytes of a library's class, or null for classes of the JDK and for those that do not
     * exist.
     */
    byte[] libraryBytes(String name) {
        URL resource = loader.findResource(name + ".class");
        if (resource == null) {
            return null;
        }
        ClassFile file = find(name);
        return file == null ? null : file.bytes;
    }

    Class<?> load(String dottedName) throws ClassNotFoundException {
        if (notLoadable.contains(dottedName)) {
            throw new ClassNotFoundException(dottedName);
        }
        try {
            return loader.loadClass(dottedName);
        } catch (ClassNotFoundException absent) {
            notLoadable.add(dottedName);
            throw absent;
        }
    }

    private Optional<ClassFile> parse(String name) {
        try (InputStream stream = loader.getResourceAsStream(name + ".class")) {
            return stream == null ? Optional.empty() : Optional.of(new ClassFile(stream.readAllBytes()));
        } catch (IOException | MalformedClassException unreadable) {
            return Optional.empty();
        }
    }
}
