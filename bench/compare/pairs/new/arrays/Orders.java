package arrays;

import java.util.Arrays;

/** Arrays that are sorted, searched and copied. */
public class Orders {
    private Orders() {}

    public static int largestBySorting(int[] numbers) {
        if (numbers == null || numbers.length == 0) {
            return 0;
        }
        int[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length - 1];
    }

    public static int[] sorted(int[] numbers) {
        if (numbers == null) {
            return null;
        }
        int[] sorted = Arrays.copyOf(numbers, numbers.length);
        Arrays.sort(sorted);
        return sorted;
    }

    public static int[] sortedOnce(int[] numbers) {
        if (numbers == null) {
            return null;
        }
        int[] sorted = numbers.clone();
        for (int i = 0; i + 1 < sorted.length; i++) {
            if (sorted[i] > sorted[i + 1]) {
                int kept = sorted[i];
                sorted[i] = sorted[i + 1];
                sorted[i + 1] = kept;
            }
        }
        return sorted;
    }

    public static boolean isSorted(int[] numbers) {
        if (numbers == null) {
            return true;
        }
        for (int i = 1; i < numbers.length; i++) {
            if (numbers[i - 1] >= numbers[i]) {
                return false;
            }
        }
        return true;
    }

    public static boolean findSorted(int[] numbers, int wanted) {
        if (numbers == null || !inOrder(numbers)) {
            return false;
        }
        int low = 0;
        int high = numbers.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (numbers[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < numbers.length && numbers[low] == wanted;
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
        return numbers != null && Arrays.binarySearch(numbers, wanted) >= 0;
    }

    public static int[] reversed(int[] numbers) {
        if (numbers == null) {
            return null;
        }
        int[] reversed = numbers.clone();
        for (int low = 0, high = reversed.length - 1; low < high; low++, high--) {
            int kept = reversed[low];
            reversed[low] = reversed[high];
            reversed[high] = kept;
        }
        return reversed;
    }

    public static int[] rotated(int[] numbers, int by) {
        if (numbers == null || numbers.length == 0 || by < 0) {
            return numbers;
        }
        int split = by % numbers.length;
        int[] rotated = new int[numbers.length];
        System.arraycopy(numbers, 0, rotated, split, numbers.length - split);
        System.arraycopy(numbers, numbers.length - split, rotated, 0, split);
        return rotated;
    }

    public static int rotatedFar(int[] numbers, int by) {
        if (numbers == null || numbers.length == 0 || by < 0) {
            return 0;
        }
        return numbers[(1 + by) % numbers.length];
    }

    public static int secondLargest(int[] numbers) {
        if (numbers == null || numbers.length < 2) {
            return 0;
        }
        int largest = Integer.MIN_VALUE;
        int second = Integer.MIN_VALUE;
        for (int number : numbers) {
            if (number > largest) {
                second = largest;
                largest = number;
            } else if (number > second && number < largest) {
                second = number;
            }
        }
        return second;
    }

    public static int median(int a, int b, int c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }

    public static int cellSums(int a, int b, int c, int d) {
        int[][] cells = {{a, b}, {c, d}};
        int sum = 0;
        for (int column = 0; column < 2; column++) {
            for (int[] row : cells) {
                sum += row[column];
            }
        }
        return sum;
    }
}
