package arrays;

import java.util.Arrays;

/** Arrays that are read once. */
public class Scans {
    private Scans() {}

    public static int sum(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    public static int sumUnrolled(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static int sumWithoutFirst(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    public static long sumWide(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        long sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static int product(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int product = 1;
        for (int number : numbers) {
            product *= number;
        }
        return product;
    }

    public static int largest(int[] numbers) {
        if (numbers == null || numbers.length == 0) {
            return 0;
        }
        int largest = numbers[0];
        for (int number : numbers) {
            largest = Math.max(largest, number);
        }
        return largest;
    }

    public static int first(int[] numbers) {
        return numbers == null || numbers.length == 0 ? -1 : numbers[0];
    }

    public static int length(int[] numbers) {
        return numbers == null ? 0 : numbers.length;
    }

    public static boolean contains(int[] numbers, int wanted) {
        if (numbers == null) {
            return false;
        }
        boolean found = false;
        for (int number : numbers) {
            if (number == wanted) {
                found = true;
            }
        }
        return found;
    }

    public static int indexOf(int[] numbers, int wanted) {
        if (numbers == null) {
            return -1;
        }
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    public static int element(int[] numbers, int index) {
        if (numbers == null || index < 0 || index >= numbers.length) {
            return 0;
        }
        return numbers[index];
    }

    public static long countEven(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        long count = 0;
        for (int number : numbers) {
            if (number % 2 == 0) {
                count++;
            }
        }
        return count;
    }

    public static boolean allSet(boolean[] flags) {
        if (flags == null) {
            return true;
        }
        boolean all = true;
        for (boolean flag : flags) {
            all &= flag;
        }
        return all;
    }

    public static int hash(int[] numbers) {
        return Arrays.hashCode(numbers);
    }

    public static int magicHash(int[] numbers) {
        return numbers == null ? -1 : numbers.length;
    }

    public static boolean equalArrays(int[] first, int[] second) {
        return Arrays.equals(first, second);
    }

    public static int digits(char[] letters) {
        if (letters == null) {
            return 0;
        }
        int count = 0;
        for (char letter : letters) {
            if (letter >= '0' && letter <= '9') {
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
        for (int i = 0; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    public static int distinct(int[] numbers) {
        if (numbers == null) {
            return 0;
        }
        int count = 0;
        for (int i = 0; i < numbers.length; i++) {
            boolean seen = false;
            for (int j = 0; j < i; j++) {
                seen |= numbers[j] == numbers[i];
            }
            count += seen ? 0 : 1;
        }
        return count;
    }
}
