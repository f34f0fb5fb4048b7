package arrays;

import java.util.Arrays;

/** Arrays that are sorted, searched and copied. */
public class Orders {
    private Orders() {}

    public static int largestBySorting(int[] numbers) {
        if (numbers == null || numbers.length == 0) {
            return 0;
        }
        int largest = numbers[0];
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i] > largest) {
                largest = numbers[i];
            }
        }
        return largest;
    }

    public static int[] sorted(int[] numbers) {
        if (numbers == null) {
            return null;
        }
        int[] sorted = numbers.clone();
        for (int end = sorted.length - 1; end > 0; end--) {
            for (int i = 0; i < end; i++) {
                if (sorted[i] > sorted[i + 1]) {
                    int kept = sorted[i];
                    sorted[i] = sorted[i + 1];
                    sorted[i + 1] = kept;
                }
            }
        }
        return sorted;
    }

    public static int[] sortedOnce(int[] numbers) {
        if (numbers == null) {
            return null;
        }
        int[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    public static boolean isSorted(int[] numbers) {
        if (numbers == null) {
            return true;
        }
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i - 1] > numbers[i]) {
                return false;
            }
        }
        return true;
    }

    public static boolean findSorted(int[] numbers, int wanted) {
        if (numbers == null || !inOrder(numbers)) {
            return false;
        }
        for (int number : numbers) {
            if (number == wanted) {
                return true;
            }
        }
        return false;
    }

    private static boolean inOrder(int[] numbers) {
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i - 1] > numbers[i]) {
                return false;
            }
        }
        return true;
    }

    public static boolean findUnsorted(int[] numbers, int wanted) {
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

    public static int[] reversed(int[] numbers) {
        if (numbers == null) {
            return null;
        }
        int[] reversed = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            reversed[numbers.length - 1 - i] = numbers[i];
        }
        return reversed;
    }

    public static int[] rotated(int[] numbers, int by) {
        if (numbers == null || numbers.length == 0 || by < 0) {
            return numbers;
        }
        int[] rotated = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            rotated[(i + by % numbers.length) % numbers.length] = numbers[i];
        }
        return rotated;
    }

    public static int rotatedFar(int[] numbers, int by) {
        if (numbers == null || numbers.length == 0 || by < 0) {
            return 0;
        }
        return numbers[(1 + by % numbers.length) % numbers.length];
    }

    public static int secondLargest(int[] numbers) {
        if (numbers == null || numbers.length < 2) {
            return 0;
        }
        int[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length - 2];
    }

    public static int median(int a, int b, int c) {
        int[] sorted = {a, b, c};
        Arrays.sort(sorted);
        return sorted[1];
    }

    public static int cellSums(int a, int b, int c, int d) {
        int[][] cells = {{a, b}, {c, d}};
        int sum = 0;
        for (int row = 0; row < 2; row++) {
            for (int column = 0; column < 2; column++) {
                sum = sum + cells[row][column];
            }
        }
        return sum;
    }
}
