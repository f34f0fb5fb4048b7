package lapidary;

import lapidary.replay.Inputs;

/**
 * Where a program asks for values that an exploration chooses. Put it on the class path to compile against; on the real machine it
 * gives the values of one path again, in the order in which they were asked for.
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

    /** Either way, without a reason. */
    public static boolean randomChoice() {
        return (Integer) Inputs.next('K', 2) == 1;
    }

    /** One of the numbers below {@code count}, each on a path of its own. */
    public static int selectState(int count) {
        return (Integer) Inputs.next('K', count);
    }

    /** Any element of the list, or null if it has none. */
    public static <T> T getArgument(java.util.List<T> list) {
        return list.isEmpty() ? null : list.get(selectState(list.size()));
    }

    /** Any element of the list, or null if it has none. */
    public static <T> T getPassedParameter(java.util.List<T> list) {
        return list.isEmpty() ? null : list.get(selectState(list.size()));
    }

    /** Only paths on which the condition holds go on. */
    public static void assume(boolean condition) {
        if (!condition) {
            Inputs.assumptionFails();
        }
    }
}
