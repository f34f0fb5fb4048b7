/** Arithmetic operators and conversions, with boundary values. */
public class Arithmetic {
    static final int[] INTS = {0, 1, -1, 2, 7, -13, 31, 32, 33, 255, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE};
    static final long[] LONGS = {0, 1, -1, 63, 64, 65, 1L << 32, -(1L << 40), 123456789012345L, Long.MAX_VALUE, Long.MIN_VALUE};
    static final float[] FLOATS = {
        0f, -0f, 1f, -1.5f, 0.1f, 1e-45f, 3.4e38f, 16777217f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY
    };
    static final double[] DOUBLES = {
        0, -0.0, 1, -1.5, 0.1, 4.9e-324, 1.7e308, 1e19, -3e9, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };

    interface OnInts { int apply(int a, int b); }
    interface OnLongs { long apply(long a, long b); }
    interface OnFloats { float apply(float a, float b); }
    interface OnDoubles { double apply(double a, double b); }

    static void ints(OnInts operation) {
        for (int a : INTS) {
            int sum = 0;
            for (int b : INTS) sum = sum * 31 + operation.apply(a, b);
            System.out.println(a + " " + sum);
        }
    }

    static void longs(OnLongs operation) {
        for (long a : LONGS) {
            long sum = 0;
            for (long b : LONGS) sum = sum * 31 + operation.apply(a, b);
            System.out.println(a + " " + sum);
        }
    }

    static void floats(OnFloats operation) {
        for (float a : FLOATS) {
            int sum = 0;
            for (float b : FLOATS) sum = sum * 31 + Float.floatToIntBits(operation.apply(a, b));
            System.out.println(sum);
        }
    }

    static void doubles(OnDoubles operation) {
        for (double a : DOUBLES) {
            long sum = 0;
            for (double b : DOUBLES) sum = sum * 31 + Double.doubleToLongBits(operation.apply(a, b));
            System.out.println(sum);
        }
    }

    static void testIntAdd() { ints((a, b) -> a + b); }
    static void testIntSub() { ints((a, b) -> a - b); }
    static void testIntMul() { ints((a, b) -> a * b); }
    static void testIntDiv() { ints((a, b) -> b == 0 ? 5 : a / b); }
    static void testIntRem() { ints((a, b) -> b == 0 ? 5 : a % b); }
    static void testIntAnd() { ints((a, b) -> a & b); }
    static void testIntOr() { ints((a, b) -> a | b); }
    static void testIntXor() { ints((a, b) -> a ^ b); }
    static void testIntShiftLeft() { ints((a, b) -> a << b); }
    static void testIntShiftRight() { ints((a, b) -> a >> b); }
    static void testIntShiftUnsigned() { ints((a, b) -> a >>> b); }
    static void testIntCompare() { ints((a, b) -> (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0) + (a != b ? 32 : 0)); }
    static void testIntUnary() { ints((a, b) -> -a + ~b); }
    static void testLongAdd() { longs((a, b) -> a + b); }
    static void testLongSub() { longs((a, b) -> a - b); }
    static void testLongMul() { longs((a, b) -> a * b); }
    static void testLongDiv() { longs((a, b) -> b == 0 ? 5 : a / b); }
    static void testLongRem() { longs((a, b) -> b == 0 ? 5 : a % b); }
    static void testLongBits() { longs((a, b) -> (a & b) + 3 * (a | b) + 7 * (a ^ b)); }
    static void testLongShifts() { longs((a, b) -> (a << b) + 3 * (a >> b) + 7 * (a >>> b)); }
    static void testLongShiftByInt() { longs((a, b) -> (a << (int) b) ^ (a >>> (int) -b)); }
    static void testLongCompare() { longs((a, b) -> (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a == b ? 16 : 0)); }
    static void testFloatAdd() { floats((a, b) -> a + b); }
    static void testFloatSub() { floats((a, b) -> a - b); }
    static void testFloatMul() { floats((a, b) -> a * b); }
    static void testFloatDiv() { floats((a, b) -> a / b); }
    static void testFloatRem() { floats((a, b) -> a % b); }
    static void testFloatCompare() { floats((a, b) -> (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0) + (a != b ? 32 : 0)); }
    static void testDoubleAdd() { doubles((a, b) -> a + b); }
    static void testDoubleSub() { doubles((a, b) -> a - b); }
    static void testDoubleMul() { doubles((a, b) -> a * b); }
    static void testDoubleDiv() { doubles((a, b) -> a / b); }
    static void testDoubleRem() { doubles((a, b) -> a % b); }
    static void testDoubleCompare() { doubles((a, b) -> (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0) + (a != b ? 32 : 0)); }
    static void testDoubleMinMax() { doubles((a, b) -> Math.min(a, b) + 2 * Math.max(a, b)); }

    static void testIntConversions() {
        for (int a : INTS) System.out.println((byte) a + " " + (short) a + " " + (int) (char) a + " " + (long) a + " " + (float) a + " " + (double) a);
    }

    static void testLongConversions() {
        for (long a : LONGS) System.out.println((byte) a + " " + (short) a + " " + (int) (char) a + " " + (int) a + " " + (float) a + " " + (double) a);
    }

    static void testFloatConversions() {
        for (float a : FLOATS) System.out.println((byte) a + " " + (short) a + " " + (int) (char) a + " " + (int) a + " " + (long) a + " " + (double) a);
    }

    static void testDoubleConversions() {
        for (double a : DOUBLES) System.out.println((byte) a + " " + (short) a + " " + (int) (char) a + " " + (int) a + " " + (long) a + " " + (float) a);
    }

    static void testCompoundAssignment() {
        byte b = 120; b += 10; short s = 1; s <<= 15; char c = 'a'; c *= 3; int i = 5; i /= 2.4; long l = 1; l -= 0.5f; float f = 1; f += 1e10;
        System.out.println(b + " " + s + " " + (int) c + " " + i + " " + l + " " + f);
        int x = 3; x += x++ + ++x; System.out.println(x);
        byte wrap = Byte.MAX_VALUE; wrap++; System.out.println(wrap + " " + wrap-- + " " + --wrap);
    }

    static void testEvaluationOrder() {
        int[] a = {0, 0, 0}; int i = 0; a[i++] = i++ + i; System.out.println(a[0] + " " + i);
        int j = 1; j = j++ * 2 + j; System.out.println(j);
    }

    static void testIntDivisionByZero() { int zero = INTS[0]; System.out.println(1 / zero); }
    static void testIntRemainderByZero() { int zero = INTS[0]; System.out.println(1 % zero); }
    static void testLongDivisionByZero() { long zero = LONGS[0]; System.out.println(1 / zero); }
    static void testLongRemainderByZero() { long zero = LONGS[0]; System.out.println(1 % zero); }
    static void testFloatDivisionByZero() { System.out.println(1 / FLOATS[0] + " " + 1 / FLOATS[1] + " " + 0 / DOUBLES[0]); }

    static void testFloatBits() {
        for (float a : FLOATS) System.out.println(Float.floatToIntBits(a) + " " + Float.floatToRawIntBits(-a) + " " + Float.intBitsToFloat(Float.floatToIntBits(a) ^ 1));
    }

    static void testDoubleBits() {
        for (double a : DOUBLES) System.out.println(Double.doubleToLongBits(a) + " " + Double.doubleToRawLongBits(-a) + " " + Double.longBitsToDouble(Double.doubleToLongBits(a) ^ 1));
    }

    static void testConstantsAndLiterals() {
        System.out.println(0x7fff_ffff + " " + 0b1010 + " " + 017 + " " + 1_000_000L + " " + 0x1p3 + " " + 'A' + 1 + " " + (char) ('A' + 1) + " " + 1e-7f);
    }

    static void testTernaryPromotion() {
        boolean yes = INTS[1] == 1; Object o = yes ? 1 : 2.0; System.out.println(o);
        Integer none = null; Object p = yes ? "s" : none; System.out.println(p); char c = 'x'; System.out.println(yes ? c : 0);
    }

    static void testBooleanOperators() {
        boolean[] values = {true, false};
        for (boolean a : values) for (boolean b : values) System.out.println((a & b) + " " + (a | b) + " " + (a ^ b) + " " + (a && b) + " " + (a || b) + " " + !a + " " + (a == b));
    }

    static void testShortCircuit() {
        int[] count = {0}; boolean r = count[0] > 0 && ++count[0] > 0 || count[0]++ == 0; System.out.println(r + " " + count[0]);
    }

    static void testCharArithmetic() {
        char c = 'z'; c++; System.out.println(c + " " + (int) c + " " + (c - 'a') + " " + (char) (c - 32)); char max = 0xffff; max++; System.out.println((int) max);
    }
}
