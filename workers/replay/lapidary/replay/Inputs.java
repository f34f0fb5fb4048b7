package lapidary.replay;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Deque;

/** The values of one path, written as one word each: a letter that says what it is, a colon, and the value. */
public final class Inputs {
    private static final Deque<String> LEFT = new ArrayDeque<>();

    private Inputs() {}

    static void give(String word) {
        LEFT.addLast(word);
    }

    /** The next value, which must be of this sort; texts and arrays may be null. */
    public static Object next(char sort) {
        String word = LEFT.pollFirst();
        if (word == null) {
            throw new IllegalStateException("the program asks for more values than the path had");
        }
        return word.equals("N") && (sort == 'T' || sort == 'A') ? null : value(word, sort);
    }

    /** Any value. */
    static Object next() {
        String word = LEFT.peekFirst();
        if (word == null) {
            throw new IllegalStateException("the method has more parameters than the path had values");
        }
        LEFT.removeFirst();
        return word.equals("N") ? null : value(word, word.charAt(0));
    }

    private static Object value(String word, char sort) {
        if (word.charAt(0) != sort) {
            throw new IllegalStateException("the program asks for " + sort + " where the path had " + word);
        }
        String text = word.substring(2);
        switch (sort) {
            case 'Z': return Integer.parseInt(text) != 0;
            case 'B': return Byte.parseByte(text);
            case 'C': return (char) Integer.parseInt(text);
            case 'S': return Short.parseShort(text);
            case 'I':
            case 'K': return Integer.parseInt(text);
            case 'J': return Long.parseLong(text);
            case 'F': return Float.intBitsToFloat(Integer.parseInt(text));
            case 'D': return Double.longBitsToDouble(Long.parseLong(text));
            case 'T': return text(text);
            case 'A': return array(text);
            default: throw new IllegalStateException("no value is written " + word);
        }
    }

    /** Four hexadecimal digits for each character. */
    static String text(String digits) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < digits.length(); at += 4) {
            text.append((char) Integer.parseInt(digits.substring(at, at + 4), 16));
        }
        return text.toString();
    }

    /** The letter of the elements, a colon, and the elements with commas between them. */
    private static Object array(String text) {
        char sort = text.charAt(0);
        String[] elements = text.length() == 2 ? new String[0] : text.substring(2).split(",");
        Object array = Array.newInstance(Types.ofLetter(sort), elements.length);
        for (int at = 0; at < elements.length; at++) {
            Array.set(array, at, value(sort + ":" + elements[at], sort));
        }
        return array;
    }
}
