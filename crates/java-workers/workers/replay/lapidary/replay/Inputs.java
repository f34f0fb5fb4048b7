package lapidary.replay;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The values of one path as words: a letter for the sort, a colon, and the value. A value with
 * parts is followed by the words of its parts.
 */
public final class Inputs {
    private static final Deque<String> LEFT = new ArrayDeque<>();
    private static final Map<Integer, Object> BY_NUMBER = new HashMap<>();
    private static Dice dice;

    private Inputs() {}

    static void give(String word) {
        LEFT.addLast(word);
    }

    /** Discards the remaining values and uses random ones from now on. */
    static void restart(Dice next) {
        LEFT.clear();
        BY_NUMBER.clear();
        dice = next;
    }

    /** The next value, which must be of this sort; texts and arrays may be null. */
    public static Object next(char sort) {
        return next(sort, 0);
    }

    /**
     * The next value, which must be of this sort. {@code detail} is the element type of an array,
     * or the number of options of a choice.
     */
    public static Object next(char sort, int detail) {
        String word = LEFT.pollFirst();
        if (word == null && dice != null) {
            word = dice.word(sort, detail);
        }
        if (word == null) {
            throw new IllegalStateException("the program asks for more values than the path had");
        }
        return word.equals("N") && (sort == 'T' || sort == 'A') ? null : value(word, sort);
    }

    /** The receiver, if the method has one, and the arguments. */
    static Object[] of(Target target) throws ReflectiveOperationException {
        Object[] inputs = new Object[target.inputs()];
        for (int at = 0; at < inputs.length; at++) {
            inputs[at] = next();
        }
        return inputs;
    }

    /** The next value of any sort, with its parts. */
    private static Object next() throws ReflectiveOperationException {
        String word = LEFT.pollFirst();
        if (word == null) {
            throw new IllegalStateException("the method has more parameters than the path had values");
        }
        String[] parts = word.split(":", -1);
        switch (word.charAt(0)) {
            case 'N': return null;
            case 'W': return Types.boxed(value(parts[1] + ":" + parts[2], parts[1].charAt(0)));
            case 'R': return references(Types.type(parts[1]), Integer.parseInt(parts[2]));
            case 'E': return Types.constant(parts[1], parts[2]);
            case 'M': return made(parts);
            case 'L': return filled(parts);
            case 'P': return map(parts);
            case 'O': return object(parts);
            case 'H': return numbered(Integer.parseInt(parts[1]), next());
            case 'Y': return BY_NUMBER.get(Integer.parseInt(parts[1]));
            default: return value(word, word.charAt(0));
        }
    }

    /** Ends the path because an assumption of the program does not hold. */
    public static void assumptionFails() {
        throw dice == null
            ? new IllegalStateException("an assumption of the path does not hold when it is replayed")
            : new NotAllowed(null);
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
            case 'A': return numbers(text);
            default: throw new IllegalStateException("no value is written " + word);
        }
    }

    /**
     * Decodes a text from four hexadecimal digits per character. It is a new object, even if it is
     * empty; {@code toString} shares empty texts.
     */
    static String text(String digits) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < digits.length(); at += 4) {
            text.append((char) Integer.parseInt(digits.substring(at, at + 4), 16));
        }
        return new String(text.toString());
    }

    /**
     * Decodes an array: the letter of the elements, a colon, and the elements separated by commas.
     */
    private static Object numbers(String text) {
        char sort = text.charAt(0);
        String[] elements = text.length() == 2 ? new String[0] : text.substring(2).split(",");
        Object array = Array.newInstance(Types.ofLetter(sort), elements.length);
        for (int at = 0; at < elements.length; at++) {
            Array.set(array, at, value(sort + ":" + elements[at], sort));
        }
        return array;
    }

    private static Object references(Class<?> element, int length) throws ReflectiveOperationException {
        Object array = Array.newInstance(element, length);
        for (int at = 0; at < length; at++) {
            Array.set(array, at, next());
        }
        return array;
    }

    private static Object made(String[] parts) throws ReflectiveOperationException {
        Object[] values = new Object[Types.signature(parts[3]).parameterCount()];
        for (int at = 0; at < values.length; at++) {
            values[at] = next();
        }
        return Objects.make(Types.named(parts[1]), parts[2], parts[3], values);
    }

    @SuppressWarnings("unchecked")
    private static Object filled(String[] parts) throws ReflectiveOperationException {
        Collection<Object> collection = (Collection<Object>) Types.named(parts[1]).getConstructor().newInstance();
        for (int left = Integer.parseInt(parts[2]); left > 0; left--) {
            collection.add(next());
        }
        return collection;
    }

    @SuppressWarnings("unchecked")
    private static Object map(String[] parts) throws ReflectiveOperationException {
        Map<Object, Object> map = (Map<Object, Object>) Types.named(parts[1]).getConstructor().newInstance();
        for (int left = Integer.parseInt(parts[2]); left > 0; left--) {
            Object key = next();
            map.put(key, next());
        }
        return map;
    }

    /** Registers a value under this number. */
    private static Object numbered(int number, Object value) {
        BY_NUMBER.put(number, value);
        return value;
    }

    /** An object, registered before its fields are set, because it may refer to itself. */
    private static Object object(String[] parts) throws ReflectiveOperationException {
        Object object = numbered(Integer.parseInt(parts[1]), Objects.allocate(Types.named(parts[2])));
        for (int left = Integer.parseInt(parts[3]); left > 0; left--) {
            String[] field = LEFT.removeFirst().split(":", -1);
            Objects.set(object, Types.named(field[1]), field[2], next());
        }
        return object;
    }
}
