package arrays;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Arrays that are read once. */
public class Scans {
    private Scans() {}

    public static int sum(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static int sumUnrolled(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int even = 0;
        int odd = 0;
        int i = 0;
        for (; i + 1 < numbers.length; i += 2) {
            even += numbers[i];
            odd += numbers[i + 1];
        }
        return i < numbers.length ? even + odd + numbers[i] : even + odd;
    }

    public static int sumWithoutFirst(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int sum = 0;
        for (int i = numbers.length - 1; i > 0; i--) {
            sum += numbers[i];
        }
        return sum;
    }

    public static long sumWide(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static int product(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        long product = 1;
        for (int number : numbers) {
            product *= number;
        }
        return (int) product;
    }

    public static int largest(int[] numbers) {
        if (numbers == null || numbers.length == 0) {
            return 0;
        }
        int largest = 0;
        for (int number : numbers) {
            largest = Math.max(largest, number);
        }
        return largest;
    }

    public static int first(int[] numbers) {
        return numbers == null ? -1 : numbers[0];
    }

    public static int length(int[] numbers) {
        return numbers.length;
    }

    public static boolean contains(int[] numbers, int wanted) {
        if (numbers == null) {
            return false;
        }
        for (int number : numbers) {
            if (number == wanted) {
                return true;
            }
        }
        return false;
    }

    public static int indexOf(int[] numbers, int wanted) {
        if (numbers == null) {
            return -1;
        }
        for (int i = numbers.length - 1; i >= 0; i--) {
            if (numbers[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    public static int element(int[] numbers, int index) {
        if (numbers == null || index < 0 || index > numbers.length) {
            return 0;
        }
        return numbers[index];
    }

    public static long countEven(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        return Arrays.stream(numbers).filter(number -> (number & 1) == 0).count();
    }

    public static boolean allSet(boolean[] flags) {
        if (flags == null) {
            return true;
        }
        for (int i = 0; i < flags.length; i++) {
            if (!flags[i]) {
                return false;
            }
        }
        return true;
    }

    public static int hash(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int hash = 1;
        for (int number : numbers) {
            hash = (hash << 5) - hash + number;
        }
        return hash;
    }

    public static int magicHash(int[] numbers) {
        if (numbers == null) {
            return -1;
        }
        int hash = 7;
        for (int number : numbers) {
            hash = hash * 131 ^ number;
        }
        return hash == 0x5EED5EED ? 0 : numbers.length;
    }

    public static boolean equalArrays(int[] first, int[] second) {
        if (first == null || second == null) {
            return first == second;
        }
        if (first.length != second.length) {
            return false;
        }
        for (int i = 0; i < first.length; i++) {
            if (first[i] != second[i]) {
                return false;
            }
        }
        return true;
    }

    public static int digits(char[] letters) {
        if (letters == null) {
            return 0;
        }
        int count = 0;
        for (char letter : letters) {
            if (Character.isDigit(letter)) {
                count++;
            }
        }
        return count;
    }

    public static double sumOfDoubles(double[] numbers) {
        if (numbers == null) {
            return 0;
        }
        double sum = 0;
        for (int i = numbers.length - 1; i >= 0; i--) {
            sum += numbers[i];
        }
        return sum;
    }

    public static int distinct(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        Set<Integer> seen = new HashSet<>();
        for (int number : numbers) {
            seen.add(number);
        }
        return seen.size();
    }
}
