package lapidary.verifier;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the errors of the JVM into problems whose text is one line and identical in every run. */
final class JvmWords {
    private static final Pattern LOCATION = Pattern.compile("Location:\\s+(\\S+?) @(\\d+): (\\S+)");
    private static final Pattern LOCATION_WITHOUT_INSTRUCTION = Pattern.compile("Location:\\s+(\\S+)");
    private static final Pattern REASON = Pattern.compile("Reason:\\s+(.*)");
    private static final Pattern OLD_VERIFIER = Pattern.compile("\\(class: (\\S+), method: (\\S+) signature: (\\S+)\\) (.*)");
    private static final Pattern LOADER_IDENTITY = Pattern.compile("('" + CandidateLoader.NAME + "'|'libraries') @[0-9a-f]+");
    private static final Pattern WRONG_NAME = Pattern.compile("(\\S+) \\(wrong name: (\\S+)\\)");

    private JvmWords() {}

    static Problem problem(String where, Throwable thrown) {
        String error = thrown.getClass().getSimpleName();
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof TypeNotPresentException absent) {
            return Problem.jvm(where, "signature: " + Problem.missing(absent.typeName().replace('.', '/')));
        }
        if (thrown instanceof ClassNotFoundException || thrown instanceof NoClassDefFoundError) {
            return missing(where, message);
        }
        return thrown instanceof VerifyError ? verifyError(where, message) : Problem.jvm(where, error + ": " + line(message));
    }

    private static Problem missing(String where, String message) {
        Matcher wrongName = WRONG_NAME.matcher(message);
        return wrongName.matches()
                ? Problem.jvm(where, "ClassFormatError: the file of " + wrongName.group(1) + " holds " + wrongName.group(2))
                : Problem.jvm(where, Problem.missing(Names.elementClass(message.replace('.', '/'))));
    }

    /**
     * The problem of a VerifyError. The verifier names the method, which may belong to a superclass
     * of the linked class.
     */
    private static Problem verifyError(String where, String message) {
        Matcher old = OLD_VERIFIER.matcher(message);
        if (old.find()) {
            return Problem.jvm(old.group(1) + "." + old.group(2) + old.group(3), "VerifyError: " + old.group(4));
        }
        Matcher location = LOCATION.matcher(message);
        Matcher reason = REASON.matcher(message);
        String because = reason.find() ? ": " + reason.group(1).strip() : "";
        String headline = message.lines().findFirst().orElse("").strip();
        if (location.find()) {
            String instruction = " (" + location.group(3) + " at " + location.group(2) + ")";
            return Problem.jvm(location.group(1), "VerifyError: " + headline + because + instruction);
        }
        Matcher place = LOCATION_WITHOUT_INSTRUCTION.matcher(message);
        return Problem.jvm(place.find() ? place.group(1) : where, "VerifyError: " + headline + because);
    }

    private static String line(String message) {
        return LOADER_IDENTITY.matcher(message.replaceAll("\\s+", " ")).replaceAll("$1").strip();
    }
}
