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
}
