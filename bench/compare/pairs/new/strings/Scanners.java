package strings;

/** Texts that are read letter by letter. */
public class Scanners {
    private Scanners() {}

    public static int vowels(String text) {
        if (text == null) {
            return 0;
        }
        int count = 0;
        for (char letter : text.toCharArray()) {
            if ("aeiou".indexOf(letter) >= 0) {
                count++;
            }
        }
        return count;
    }

    public static boolean palindrome(String text) {
        if (text == null) {
            return false;
        }
        boolean same = true;
        for (int i = 0; i < text.length(); i++) {
            same &= text.charAt(i) == text.charAt(text.length() - 1 - i);
        }
        return same;
    }

    public static int number(String text) {
        return allDigits(text) ? Integer.parseInt(text) : -1;
    }

    private static boolean allDigits(String text) {
        if (text == null || text.isEmpty() || text.length() > 4) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    public static int signedNumber(String text) {
        if (text == null || text.length() != 2) {
            return -1;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException noNumber) {
            return -1;
        }
    }

    public static int fields(String line) {
        return line == null ? 0 : line.split(",").length;
    }

    public static int magicHash(String text) {
        if (text == null) {
            return -1;
        }
        return text.hashCode() == 3511976 ? 0 : text.length();
    }

    public static boolean password(String text) {
        return text != null && (text.length() > 4 || text.equals("ruby"));
    }

    public static int lastIndex(String text) {
        if (text == null) {
            return -1;
        }
        int index = text.length() - 1;
        while (index > 0 && text.charAt(index) != 'a') {
            index--;
        }
        return index > 0 ? index : -1;
    }

    public static int compared(String first, String second) {
        if (first == null || second == null) {
            return 0;
        }
        for (int i = 0; i < first.length() && i < second.length(); i++) {
            if (first.charAt(i) != second.charAt(i)) {
                return first.charAt(i) < second.charAt(i) ? -1 : 1;
            }
        }
        return Integer.compare(first.length(), second.length());
    }

    public static boolean allDigitsByPattern(String text) {
        return text != null && text.matches("[0-9]+");
    }

    public static int level(String word) {
        if (word == null) {
            return -1;
        }
        switch (word) {
            case "high":
                return 3;
            case "low":
                return 1;
            case "mid":
                return 2;
            default:
                return 0;
        }
    }

    public static int levelWithoutNull(String word) {
        switch (word) {
            case "low":
                return 1;
            default:
                return 0;
        }
    }

    public static String shifted(String text, int by) {
        if (text == null || text.length() != 1 || text.charAt(0) < 'a' || text.charAt(0) > 'z') {
            return "";
        }
        return String.valueOf((char) ('a' + (text.charAt(0) - 'a' + by % 26) % 26));
    }

    public static int checksum(String text) {
        if (text == null || text.length() > 4) {
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < text.length(); i++) {
            sum = sum * 10 + text.charAt(i);
        }
        return sum % 97;
    }

    public static int wordCount(String text) {
        if (text == null || text.isEmpty()) {
            return 0;
        }
        int count = 1;
        for (int i = 1; i < text.length(); i++) {
            if (text.charAt(i) != ' ' && text.charAt(i - 1) == ' ') {
                count++;
            }
        }
        return count;
    }
}
