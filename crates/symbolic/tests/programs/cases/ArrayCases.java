import java.util.Arrays;
import java.util.Collections;

/** Arrays of all types, and `java.util.Arrays`. */
public class ArrayCases {
    static void testDefaults() { boolean[] z = new boolean[1]; byte[] b = new byte[1]; char[] c = new char[1]; short[] h = new short[1]; int[] i = new int[1]; long[] l = new long[1]; float[] f = new float[1]; double[] d = new double[1]; Object[] o = new Object[1]; System.out.println(z[0] + "" + b[0] + (int) c[0] + h[0] + i[0] + l[0] + f[0] + d[0] + o[0]); }
    static void testAllElementTypes() { boolean[] z = {true, false}; byte[] b = {1, -1}; char[] c = {'a'}; short[] s = {300}; int[] i = {1}; long[] l = {1L << 40}; float[] f = {1.5f}; double[] d = {2.5}; String[] t = {"x", null}; b[0] += 127; c[0]++; s[0] *= 300; l[0] <<= 1; f[0] /= 2; d[0]--; z[1] |= true; i[0]++; System.out.println(Arrays.toString(z) + Arrays.toString(b) + Arrays.toString(c) + Arrays.toString(s) + Arrays.toString(i) + Arrays.toString(l) + Arrays.toString(f) + Arrays.toString(d) + Arrays.toString(t)); }
    static void testMultiDimensional() { int[][][] a = new int[2][3][]; a[1][2] = new int[] {5}; System.out.println(Arrays.deepToString(a) + a[1][2][0]); long[][] jagged = {{1}, {}, {2, 3}}; int n = 0; for (long[] row : jagged) n += row.length; System.out.println(n + Arrays.deepToString(jagged)); }
    static void testMultiDimensionalObjects() { String[][] s = new String[2][2]; s[0][1] = "x"; Object[] o = s; System.out.println(((Object[]) o[0]).length + Arrays.deepToString(s) + s.getClass().getName() + s[0].getClass().getSimpleName()); }
    static void testIndexTooLarge() { int[] a = new int[3]; a[3] = 1; }
    static void testIndexNegative() { long[] a = new long[3]; System.out.println(a[-1]); }
    static void testNegativeSize() { int n = -4; int[] a = new int[n]; }
    static void testNegativeInnerSize() { int n = -1; int[][] a = new int[2][n]; }
    static void testStoreException() { Object[] a = new String[2]; a[0] = "fine"; a[1] = 5; }
    static void testStoreNestedArray() { Object[] a = new int[2][]; a[0] = new int[1]; a[1] = new long[1]; }
    static void testNullArray() { int[] none = null; none[0] = 1; }
    static void testClone() { int[] a = {1, 2}; int[] b = a.clone(); b[0] = 9; int[][] c = {{1}, {2}}; int[][] d = c.clone(); d[0][0] = 7; d[1] = null; System.out.println(a[0] + "" + b[0] + c[0][0] + (c[1] == null)); }
    static void testEqualsAndHash() { int[] a = {1, 2, 3}, b = {1, 2, 3}; System.out.println(a.equals(b) + "" + Arrays.equals(a, b) + Arrays.hashCode(a) + Arrays.deepEquals(new Object[] {a}, new Object[] {b}) + Arrays.hashCode(new double[] {1.5}) + Arrays.deepHashCode(new Object[] {a, "x"}) + Arrays.compare(a, new int[] {1, 3}) + Arrays.mismatch(a, new int[] {1, 2, 4})); }
    static void testSortPrimitives() { int[] a = new int[60]; for (int i = 0; i < a.length; i++) a[i] = (i * 7919) % 101 - 50; int[] b = a.clone(); Arrays.sort(a); Arrays.sort(b, 10, 20); System.out.println(Arrays.toString(a) + Arrays.toString(Arrays.copyOfRange(b, 8, 22))); double[] d = {3, -0.0, 0.0, Double.NaN, -1}; Arrays.sort(d); System.out.println(Arrays.toString(d)); }
    static void testSortLarge() { int[] a = new int[400]; for (int i = 0; i < a.length; i++) a[i] = (i * 7919) % 1009; Arrays.sort(a); long h = 0; for (int x : a) h = h * 31 + x; System.out.println(h); char[] c = "the quick brown fox".toCharArray(); Arrays.sort(c); System.out.println(new String(c).trim()); }
    static void testSortObjects() { String[] s = {"pear", "Fig", "apple", "kiwi"}; Arrays.sort(s); System.out.println(Arrays.toString(s)); Arrays.sort(s, (x, y) -> x.length() != y.length() ? x.length() - y.length() : y.compareTo(x)); System.out.println(Arrays.toString(s)); Integer[] n = new Integer[50]; for (int i = 0; i < 50; i++) n[i] = (i * 37) % 50; Arrays.sort(n, Collections.reverseOrder()); System.out.println(n[0] + " " + n[49] + n[25]); }
    static void testSortNulls() { Arrays.sort(new String[] {"a", null}); }
    static void testSortMixed() { Arrays.sort(new Object[] {"a", 1}); }
    static void testBinarySearch() { int[] a = {1, 3, 5, 7}; System.out.println(Arrays.binarySearch(a, 5) + " " + Arrays.binarySearch(a, 4) + " " + Arrays.binarySearch(new String[] {"a", "c"}, "b")); }
    static void testFillAndSet() { int[] a = new int[5]; Arrays.fill(a, 7); Arrays.fill(a, 1, 3, 0); System.out.println(Arrays.toString(a)); Arrays.setAll(a, i -> i * i); Arrays.parallelPrefix(a, Integer::sum); System.out.println(Arrays.toString(a)); }
    static void testCopyOf() { System.out.println(Arrays.toString(Arrays.copyOf(new int[] {1, 2}, 4)) + Arrays.toString(Arrays.copyOfRange(new String[] {"a", "b", "c"}, 1, 5)) + Arrays.copyOf(new Object[] {"s"}, 2, String[].class).getClass().getSimpleName()); Arrays.copyOfRange(new int[2], 3, 1); }
    static void testArraycopy() { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 1, 4); System.out.println(Arrays.toString(a)); System.arraycopy(a, 1, a, 0, 4); System.out.println(Arrays.toString(a)); Object[] o = new Object[2]; System.arraycopy(new String[] {"x", "y"}, 0, o, 0, 2); System.out.println(o[1]); }
    static void testArraycopyBounds() { System.arraycopy(new int[3], 1, new int[3], 2, 2); }
    static void testArraycopySourceBounds() { System.arraycopy(new long[3], 2, new long[5], 0, 2); }
    static void testArraycopyNegative() { System.arraycopy(new char[3], 0, new char[3], 0, -1); }
    static void testArraycopyNegativePosition() { System.arraycopy(new Object[3], -1, new Object[3], 0, 1); }
    static void testArraycopyWrongTypes() { System.arraycopy(new int[3], 0, new long[3], 0, 1); }
    static void testArraycopyNotArray() { System.arraycopy("text", 0, new long[3], 0, 1); }
    static void testArraycopyObjectsIntoInts() { System.arraycopy(new Object[3], 0, new int[3], 0, 1); }
    static void testArraycopyStore() { Object[] from = {"a", 1, "b"}; String[] to = new String[3]; try { System.arraycopy(from, 0, to, 0, 3); } finally { System.out.println(Arrays.toString(to)); } }
    static void testArraycopyNull() { System.arraycopy(null, 0, new int[1], 0, 1); }
    static void testArrayCovariance() { Number[] n = new Integer[] {1, 2}; Object o = n; System.out.println((o instanceof Integer[]) + "" + (o instanceof Object[]) + (n[0].doubleValue() + ((Comparable<?>[]) o).length)); }
    static void testArrayMethods() { int[] a = {1}; System.out.println(a.getClass() + "" + a.equals(a) + (a.hashCode() == a.hashCode()) + a.getClass().isArray() + a.getClass().getComponentType() + new int[0][0].getClass().getName()); }
    static void testReflectArray() { Object a = java.lang.reflect.Array.newInstance(int.class, 3); java.lang.reflect.Array.set(a, 1, 5); java.lang.reflect.Array.setInt(a, 2, 7); System.out.println(java.lang.reflect.Array.getLength(a) + "" + java.lang.reflect.Array.get(a, 1) + Arrays.toString((int[]) a)); }
    static void testMatrix() { double[][] a = {{1, 2}, {3, 4}}, r = new double[2][2]; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) r[i][j] += a[i][k] * a[k][j]; System.out.println(Arrays.deepToString(r)); }
    static void testSieve() { boolean[] c = new boolean[100]; int n = 0; for (int i = 2; i < 100; i++) { if (!c[i]) { n++; for (int j = i * i; j < 100; j += i) c[j] = true; } } System.out.println(n); }
    static void testArrayInitialisers() { Object[] o = {1, "a", new int[] {2}, null, 'c', 2L}; int k = 0; for (Object x : o) k += x == null ? 1 : x.toString().length() > 0 ? 2 : 0; System.out.println(k); char[][] words = {"ab".toCharArray(), {'c'}}; System.out.println(words[0][1] + words[1].length); }
    static void testForEachModification() { int[] a = {1, 2, 3}; for (int x : a) { a = new int[] {9}; System.out.print(x); } System.out.println(a[0]); }
}
