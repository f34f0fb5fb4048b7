package strings;

/** Texts that are built, cut and compared. */
public class Texts {
    private Texts() {}

    public static String joined(String first, String second) {
        return new StringBuilder().append(first).append(second).toString();
    }

    public static String concatenated(String first, String second) {
        if (first == null) {
            return "";
        }
        return first.concat(second);
    }

    public static boolean isBlankText(String text) {
        return text == null || text.isEmpty();
    }

    public static boolean same(String first, String second) {
        return first != null && second.equals(first);
    }

    public static boolean saysYes(String answer) {
        return "yes".equals(answer);
    }

    public static boolean identical(String text) {
        return text != null && new String(text) == text;
    }

    public static String backwards(String text) {
        if (text == null) {
            return "";
        }
        StringBuilder backwards = new StringBuilder();
        for (int i = text.length() - 1; i >= 0; i--) {
            backwards.append(text.charAt(i));
        }
        return backwards.toString();
    }

    public static String trimmed(String text) {
        return text == null ? "" : text.strip();
    }

    public static char firstLetter(String text) {
        return text == null ? '?' : text.charAt(0);
    }

    public static boolean begins(String text, String prefix) {
        if (text == null || prefix == null) {
            return false;
        }
        return prefix.length() <= text.length() && text.substring(0, prefix.length()).equals(prefix);
    }

    public static boolean ignoringCase(String first, String second) {
        if (first == null || second == null || first.length() != second.length()) {
            return false;
        }
        for (int i = 0; i < first.length(); i++) {
            if ((first.charAt(i) | 32) != (second.charAt(i) | 32)) {
                return false;
            }
        }
        return true;
    }

    public static String replaced(String text) {
        return text == null ? "" : text.replace('/', '.');
    }

    public static String repeated(String text, int times) {
        if (text == null || times < 0 || times > 3) {
            return "";
        }
        return text.repeat(times);
    }

    public static int refused(String text) {
        if (text != null && text.startsWith("x")) {
            throw new IllegalArgumentException("cannot read '" + text + "'");
        }
        return 0;
    }

    public static int refusedElsewhere(String text) {
        int length = text == null ? 0 : text.length();
        if (length > 0) {
            return length;
        }
        throw new IllegalArgumentException("no text");
    }

    public static void printed(String text) {
        System.out.print("text:  ");
        System.out.println(text);
    }

    public static void printedInParts(String text) {
        System.out.print("text: ");
        System.out.println(text);
    }
}
