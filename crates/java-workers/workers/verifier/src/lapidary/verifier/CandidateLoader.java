package lapidary.verifier;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Loads the classes of one candidate, which take precedence over library classes of the same name.
 *
 * Library classes in a package of the candidate are defined here too: a class path puts both into
 * one run-time package, and package-private members would otherwise be inaccessible.
 */
final class CandidateLoader extends ClassLoader {
    static final String NAME = "candidate";

    private final Map<String, byte[]> classes;
    private final Set<String> packages = new HashSet<>();
    private final Libraries libraries;

    CandidateLoader(Map<String, byte[]> classes, Libraries libraries) {
        super(NAME, libraries.loader());
        this.classes = classes;
        this.libraries = libraries;
        classes.keySet().forEach(name -> packages.add(packageOf(name)));
    }

    @Override
    protected Class<?> loadClass(String dottedName, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(dottedName)) {
            Class<?> loaded = findLoadedClass(dottedName);
            if (loaded != null) {
                return loaded;
            }
            String name = dottedName.replace('.', '/');
            byte[] bytes = classes.get(name);
            if (bytes == null && packages.contains(packageOf(name))) {
                bytes = libraries.libraryBytes(name);
            }
            return bytes == null ? libraries.load(dottedName) : defineClass(dottedName, bytes, 0, bytes.length);
        }
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }
}
