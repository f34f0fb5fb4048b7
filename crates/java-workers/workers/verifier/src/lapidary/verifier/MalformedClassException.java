package lapidary.verifier;

/**
 * A class file that cannot be read. The JVM has its own description of it; this one only says where
 * reading stopped.
 */
final class MalformedClassException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedClassException(String message) {
        super(message);
    }
}
