import java.util.*;
public class Symbols {
  static int abs(int x) { if (x < 0) return -x; return x; }
  static int tri(int a, int b, int c) { if (a<=0||b<=0||c<=0) return -1; if (a==b && b==c) return 3; if (a==b||b==c||a==c) return 2; return 1; }
  static int div(int a, int b) { return a / b; }
  static int sum(int[] a) { int s = 0; for (int x : a) s += x; assert s != 1234567 : "bad sum"; return s; }
  static int hash(String s) { switch (s) { case "ab": return 1; case "cd": return 2; default: return 3; } }
  static boolean map(int k) { Map<Integer,String> m = new HashMap<>(); m.put(1, "a"); m.put(17, "b"); return m.containsKey(k); }
  static long mix(long a, int s, byte b, char c, boolean z) { long r = a << s; if (z) r ^= b; if (c == 'x') r++; if (r == 0x1234567890L) throw new IllegalStateException("found " + c); return r; }
  static int boxes(int a, int b) { Integer x = a, y = b; java.util.List<Integer> all = java.util.List.of(x, y); if (all.get(0) == all.get(1)) return 1; return x.equals(y) ? 2 : 3; }
  static int sortit(int[] a) { Arrays.sort(a); return a.length > 2 && a[0] == a[2] ? 1 : 0; }
  static int root(double x) { if (Math.sqrt(x) == 12) return 1; return Math.sqrt(x) > 2.5 ? 2 : 3; }
  static int cast(double x, float y) { if ((int) x == 123456) return 1; return Float.floatToIntBits(y) == 0x12345678 ? 2 : 3; }
  static int mismatch(int n) { if (n < 8 || n > 10) return -5; byte[] a = new byte[10], b = new byte[10]; b[8] = 1; return Arrays.mismatch(a, 0, n, b, 0, n); }
  static int few(int n) { if (n < 20 || n > 22) return 0; return new int[n].length; }
  static int many(int n) { return new int[n].length; }
  static int nested(int n) { return new int[60000000][0].length; }
  static int raw(int x, long y) { int same = Float.floatToRawIntBits(Float.intBitsToFloat(x)) == x ? 1 : 0; return Double.doubleToRawLongBits(Double.longBitsToDouble(y)) == y ? same : 0; }
  static String outside(int i) { try { return "" + new int[i].length; } catch (NegativeArraySizeException e) { return e.getMessage(); } }
  static void wrapped(int i) { try { int[] a = {1}; a[i] = 2; } catch (ArrayIndexOutOfBoundsException e) { throw new IllegalStateException(e); } }
  static int identity(int i) { Map<Integer, Integer> m = new IdentityHashMap<>(); m.put(5, 1); if (i < 4 || i > 6) return -1; Integer found = m.get(i); return found == null ? 0 : found; }
  static void registerNatives() { throw new IllegalStateException("really"); }
  static int binds(int i) { if (i == 3) registerNatives(); return i; }
  static int nan(float x, double y) { return Float.floatToRawIntBits(x) == 0x7fc00001 ? 1 : Double.doubleToRawLongBits(y) == -1L ? 2 : x != x ? 3 : 4; }
}
