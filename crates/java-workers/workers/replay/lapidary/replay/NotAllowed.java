package lapidary.replay;

/**
 * Thrown when the program refuses to create an object from these values: there is no such input.
 */
final class NotAllowed extends RuntimeException {
    NotAllowed(Throwable cause) {
        super(cause);
    }
}
