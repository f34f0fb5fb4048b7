package strings;

/** Texts that are built, cut and compared. */
public class Texts {
    private Texts() {}

    public static String joined(String first, String second) {
        return first + second;
    }

    public static String concatenated(String first, String second) {
        if (first == null) {
            return "";
        }
        return first + second;
    }

    public static boolean isBlankText(String text) {
        return text == null || text.length() == 0;
    }

    public static boolean same(String first, String second) {
        return first != null && first.equals(second);
    }

    public static boolean saysYes(String answer) {
        return answer != null && answer.equals("yes");
    }

    public static boolean identical(String text) {
        return text != null && new String(text).equals(text);
    }

    public static String backwards(String text) {
        if (text == null) {
            return "";
        }
        String backwards = "";
        for (int i = 0; i < text.length(); i++) {
            backwards = text.charAt(i) + backwards;
        }
        return backwards;
    }

    public static String trimmed(String text) {
        return text == null ? "" : text.trim();
    }

    public static char firstLetter(String text) {
        return text == null || text.isEmpty() ? '?' : text.charAt(0);
    }

    public static boolean begins(String text, String prefix) {
        if (text == null || prefix == null) {
            return false;
        }
        return text.startsWith(prefix);
    }

    public static boolean ignoringCase(String first, String second) {
        if (first == null || second == null || first.length() != second.length()) {
            return false;
        }
        for (int i = 0; i < first.length(); i++) {
            if (small(first.charAt(i)) != small(second.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static char small(char letter) {
        return letter >= 'A' && letter <= 'Z' ? (char) (letter + 32) : letter;
    }

    public static String replaced(String text) {
        if (text == null) {
            return "";
        }
        StringBuilder replaced = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            replaced.append(text.charAt(i) == '/' ? '.' : text.charAt(i));
        }
        return replaced.toString();
    }

    public static String repeated(String text, int times) {
        if (text == null || times < 0 || times > 3) {
            return "";
        }
        String repeated = "";
        for (int i = 0; i < times; i++) {
            repeated += text;
        }
        return repeated;
    }

    public static int refused(String text) {
        if (text != null && text.startsWith("x")) {
            throw new IllegalArgumentException("cannot read " + text);
        }
        return 0;
    }

    public static int refusedElsewhere(String text) {
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("no text");
        }
        return text.length();
    }

    public static void printed(String text) {
        System.out.println("text: " + text);
    }

    public static void printedInParts(String text) {
        System.out.println("text: " + text);
    }
}
