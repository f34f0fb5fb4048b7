package lapidary;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The classes of the running JDK, and nothing of the decompiler's or ours. */
final class Platform {
    private static final ConcurrentHashMap<String, Optional<byte[]>> KNOWN = new ConcurrentHashMap<>();

    private Platform() {}

    /** The class file, or null. */
    static byte[] find(String name) {
        return KNOWN.computeIfAbsent(name, Platform::read).orElse(null);
    }

    private static Optional<byte[]> read(String name) {
        // Tools of the JDK such as its compiler are known to the system's loader alone.
        boolean tool = name.startsWith("jdk/") || name.startsWith("com/sun/");
        ClassLoader loader = tool ? ClassLoader.getSystemClassLoader() : ClassLoader.getPlatformClassLoader();
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
