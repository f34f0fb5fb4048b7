package lapidary;

import lapidary.replay.Inputs;

/**
 * Provides values that an exploration chooses. Programs compile against this class. On the real JVM
 * it replays the values of one path in the order in which they were requested.
 */
public final class Symbolic {
    private Symbolic() {}

    public static boolean newBoolean() {
        return (Boolean) Inputs.next('Z');
    }

    public static byte newByte() {
        return (Byte) Inputs.next('B');
    }

    public static char newChar() {
        return (Character) Inputs.next('C');
    }

    public static short newShort() {
        return (Short) Inputs.next('S');
    }

    public static int newInt() {
        return (Integer) Inputs.next('I');
    }

    public static long newLong() {
        return (Long) Inputs.next('J');
    }

    public static float newFloat() {
        return (Float) Inputs.next('F');
    }

    public static double newDouble() {
        return (Double) Inputs.next('D');
    }

    public static String newString() {
        return (String) Inputs.next('T');
    }

    public static boolean[] newBooleans() {
        return (boolean[]) Inputs.next('A', 'Z');
    }

    public static byte[] newBytes() {
        return (byte[]) Inputs.next('A', 'B');
    }

    public static char[] newChars() {
        return (char[]) Inputs.next('A', 'C');
    }

    public static short[] newShorts() {
        return (short[]) Inputs.next('A', 'S');
    }

    public static int[] newInts() {
        return (int[]) Inputs.next('A', 'I');
    }

    public static long[] newLongs() {
        return (long[]) Inputs.next('A', 'J');
    }

    public static float[] newFloats() {
        return (float[]) Inputs.next('A', 'F');
    }

    public static double[] newDoubles() {
        return (double[]) Inputs.next('A', 'D');
    }

    /** A choice between true and false. */
    public static boolean randomChoice() {
        return (Integer) Inputs.next('K', 2) == 1;
    }

    /** A choice of a number below {@code count}, each on a path of its own. */
    public static int selectState(int count) {
        return (Integer) Inputs.next('K', count);
    }

    /** A choice of an element of the list, or null if it is empty. */
    public static <T> T getArgument(java.util.List<T> list) {
        return list.isEmpty() ? null : list.get(selectState(list.size()));
    }

    /** A choice of an element of the list, or null if it is empty. */
    public static <T> T getPassedParameter(java.util.List<T> list) {
        return list.isEmpty() ? null : list.get(selectState(list.size()));
    }

    /** Ends all paths on which the condition does not hold. */
    public static void assume(boolean condition) {
        if (!condition) {
            Inputs.assumptionFails();
        }
    }
}
