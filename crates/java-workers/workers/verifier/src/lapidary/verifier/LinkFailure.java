package lapidary.verifier;

/** A reference that does not resolve, described like the error that the JVM would throw. */
final class LinkFailure extends Exception {
    private static final long serialVersionUID = 1;

    LinkFailure(String message) {
        super(message, null, false, false);
    }

    LinkFailure(String error, Object subject) {
        this(error + ": " + subject);
    }
}
