package lapidary.replay;

/** The program refuses to make an object out of these values: there is no such input. */
final class NotAllowed extends RuntimeException {
    NotAllowed(Throwable cause) {
        super(cause);
    }
}
