/** Loops whose number of turns is a parameter of the measurement: the length of an array. */
public class Loops {
    /** One path for each length. */
    static int sum(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        assert sum != 1_000_003 : "found";
        return sum;
    }

    /** Twice as many paths with each element, unless they are merged. */
    static int positive(int[] numbers) {
        int count = 0;
        for (int number : numbers) {
            if (number > 0) {
                count++;
            }
        }
        assert numbers.length < 2 || count != numbers.length : "found";
        return count;
    }

    /** As many paths as there are orders of the elements. */
    static int sorted(int[] numbers) {
        for (int end = numbers.length; end > 1; end--) {
            for (int at = 1; at < end; at++) {
                if (numbers[at - 1] > numbers[at]) {
                    int swapped = numbers[at];
                    numbers[at] = numbers[at - 1];
                    numbers[at - 1] = swapped;
                }
            }
        }
        return numbers.length == 0 ? 0 : numbers[0];
    }

    /** States that stay alive: every one of them waits for its turn. */
    static int alive(boolean[] bits) {
        int number = 0;
        for (boolean bit : bits) {
            number = 2 * number + (bit ? 1 : 0);
        }
        return number;
    }

    /** Nothing symbolic: how fast is plain code? */
    static int concrete() {
        int hash = 7;
        for (int turn = 0; turn < 20_000_000; turn++) {
            hash = hash * 31 + (turn ^ hash >>> 7);
        }
        return hash;
    }
}
