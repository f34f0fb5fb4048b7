package lapidary;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The classes of the running JDK, without those of the decompiler or of this program. */
final class Platform {
    private static final ConcurrentHashMap<String, Optional<byte[]>> KNOWN = new ConcurrentHashMap<>();

    private Platform() {}

    /** The class file, or null. */
    static byte[] find(String name) {
        return KNOWN.computeIfAbsent(name, Platform::read).orElse(null);
    }

    private static Optional<byte[]> read(String name) {
        // Only the system class loader knows tools of the JDK such as its compiler.
        boolean tool = name.startsWith("jdk/") || name.startsWith("com/sun/");
        ClassLoader loader = tool ? ClassLoader.getSystemClassLoader() : ClassLoader.getPlatformClassLoader();
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
