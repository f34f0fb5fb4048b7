package strings;

/** Texts that are read letter by letter. */
public class Scanners {
    private Scanners() {}

    public static int vowels(String text) {
        if (text == null) {
            return 0;
        }
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case 'a':
                case 'e':
                case 'i':
                case 'o':
                case 'u':
                    count++;
                    break;
                default:
                    break;
            }
        }
        return count;
    }

    public static boolean palindrome(String text) {
        if (text == null) {
            return false;
        }
        for (int low = 0, high = text.length() - 1; low < high; low++, high--) {
            if (text.charAt(low) != text.charAt(high)) {
                return false;
            }
        }
        return true;
    }

    public static int number(String text) {
        if (!allDigits(text)) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
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
        int tens = text.charAt(0) - '0';
        int ones = text.charAt(1) - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
    }

    public static int fields(String line) {
        if (line == null) {
            return 0;
        }
        int count = 1;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == ',') {
                count++;
            }
        }
        return count;
    }

    public static int magicHash(String text) {
        return text == null ? -1 : text.length();
    }

    public static boolean password(String text) {
        return text != null && text.length() > 4;
    }

    public static int lastIndex(String text) {
        return text == null ? -1 : text.lastIndexOf('a');
    }

    public static int compared(String first, String second) {
        if (first == null || second == null) {
            return 0;
        }
        return Integer.signum(first.compareTo(second));
    }

    public static boolean allDigitsByPattern(String text) {
        if (text == null || text.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    public static int level(String word) {
        if (word == null) {
            return -1;
        }
        if (word.equals("low")) {
            return 1;
        } else if (word.equals("mid")) {
            return 2;
        } else if (word.equals("high")) {
            return 3;
        }
        return 0;
    }

    public static int levelWithoutNull(String word) {
        return "low".equals(word) ? 1 : 0;
    }

    public static String shifted(String text, int by) {
        if (text == null || text.length() != 1 || text.charAt(0) < 'a' || text.charAt(0) > 'z') {
            return "";
        }
        return String.valueOf((char) ('a' + Math.floorMod(text.charAt(0) - 'a' + by % 26, 26)));
    }

    public static int checksum(String text) {
        if (text == null || text.length() > 4) {
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < text.length(); i++) {
            sum = (sum * 10 + text.charAt(i)) % 97;
        }
        return sum;
    }

    public static int wordCount(String text) {
        if (text == null) {
            return 0;
        }
        int count = 0;
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            boolean space = text.charAt(i) == ' ';
            if (!space && !inside) {
                count++;
            }
            inside = !space;
        }
        return count;
    }
}
