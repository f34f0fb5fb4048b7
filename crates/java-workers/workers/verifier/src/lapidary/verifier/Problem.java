package lapidary.verifier;

/** A problem of a candidate: who reports it, where it is, and what it is. */
record Problem(Judge judge, String where, String what) {
    /**
     * The judge that rejects the candidate: the JVM, possibly only when it gets there, or only a
     * compiler of the decompiled source.
     */
    enum Judge { JVM, SOURCE }

    static Problem jvm(String where, String what) {
        return new Problem(Judge.JVM, where, what);
    }

    static Problem source(String where, String what) {
        return new Problem(Judge.SOURCE, where, what);
    }

    static final String MISSING_CLASS = "NoClassDefFoundError: ";

    static String missing(String className) {
        return MISSING_CLASS + className;
    }

    /** The class whose absence is the whole problem, or null. */
    String missingClass() {
        int at = what.indexOf(MISSING_CLASS);
        return at < 0 || what.indexOf(' ', at + MISSING_CLASS.length()) >= 0 ? null : what.substring(at + MISSING_CLASS.length());
    }

    String text() {
        return where + ": " + what;
    }
}
