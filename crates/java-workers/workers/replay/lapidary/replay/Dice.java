package lapidary.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random values for a program that requests some, and a record of them. */
final class Dice {
    private final Random random;
    private final List<String> thrown = new ArrayList<>();

    Dice(long seed) {
        random = new Random(seed);
    }

    /** The words of all values so far. */
    List<String> thrown() {
        return thrown;
    }

    /** The word of a random value of this sort. */
    String word(char sort, int detail) {
        String word = fresh(sort, detail);
        thrown.add(word);
        return word;
    }

    private String fresh(char sort, int detail) {
        switch (sort) {
            case 'K': return "K:" + random.nextInt(Math.max(1, detail));
            case 'T': return random.nextInt(8) == 0 ? "N" : "T:" + digits();
            case 'A': return random.nextInt(8) == 0 ? "N" : numbers((char) detail);
            default: return sort + ":" + number(sort);
        }
    }

    private String digits() {
        StringBuilder digits = new StringBuilder();
        for (int left = random.nextInt(5); left > 0; left--) {
            digits.append(String.format("%04x", 32 + random.nextInt(95)));
        }
        return digits.toString();
    }

    private String numbers(char sort) {
        StringBuilder numbers = new StringBuilder("A:").append(sort).append(':');
        int length = random.nextInt(5);
        for (int at = 0; at < length; at++) {
            numbers.append(at == 0 ? "" : ",").append(number(sort));
        }
        return numbers.toString();
    }

    /** A random number. Half of them are small, because programs compare with small numbers. */
    private long number(char sort) {
        long number = random.nextBoolean() ? random.nextInt(21) - 10 : random.nextLong();
        switch (sort) {
            case 'Z': return number & 1;
            case 'B': return (byte) number;
            case 'C': return (char) number;
            case 'S': return (short) number;
            case 'I': return (int) number;
            case 'F': return Float.floatToIntBits((float) number);
            case 'D': return Double.doubleToLongBits((double) number);
            default: return number;
        }
    }
}
