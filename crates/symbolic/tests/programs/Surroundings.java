import java.util.*;

/** Methods that ask for something outside the program, or only seem to. */
public class Surroundings {
    enum Letter { A, B }

    static int integer(int x) { return Math.max(x, Integer.getInteger("app.min", 0)); }
    static boolean flag() { return Boolean.getBoolean("app.flag"); }
    static boolean language() { return Locale.getDefault().getLanguage().equals("tr"); }
    static String upper() { return "title".toUpperCase(); }
    static String upperIn() { return "title".toUpperCase(Locale.ROOT); }
    static String number() { return String.format("%,d", 1234567); }
    static String numberIn() { return String.format(Locale.US, "%,d", 1234567); }
    static String text() { return String.format("%s-%5s", "a", true); }
    static void printed() { System.out.printf("%.1f", 1.5); }
    static void printedText() { System.out.printf("%s", "a"); }
    static int bytes() { return "abc".getBytes().length; }
    static int bytesIn() { return "abc".getBytes(java.nio.charset.StandardCharsets.UTF_8).length; }
    static boolean thread() { return Thread.currentThread().getName().equals("main"); }
    static long threadNumber() { return Thread.currentThread().getId(); }
    static int random() { return new Random().nextInt(10); }
    static int seeded() { return new Random(5).nextInt(10); }
    static int hash() { return new Object().hashCode() & 1; }
    static int identity() { return System.identityHashCode("a"); }
    static boolean objectText() { return new Object().toString().endsWith("0"); }
    static String concatenated() { return "object " + new Object(); }
    static int sorted() { List<String> l = new ArrayList<>(List.of("b", "a")); l.sort(Comparator.comparing(s -> s.length())); return l.size(); }
    static int lookup() { Map<Letter, Integer> m = new HashMap<>(); m.put(Letter.A, 1); m.put(Letter.B, 2); return m.get(Letter.B); }
    static String order() { Map<Letter, Integer> m = new HashMap<>(); m.put(Letter.A, 1); m.put(Letter.B, 2); return m.toString(); }
    static String texts() { Map<String, Integer> m = new HashMap<>(); m.put("a", 1); m.put("b", 2); return m.toString(); }
    static String insertion() { Map<Letter, Integer> m = new LinkedHashMap<>(); m.put(Letter.A, 1); m.put(Letter.B, 2); return m.toString(); }
    static String salted() { return Set.of("a", "b").toString(); }
    static boolean contained() { return Set.of("a", "b").contains("c") || Map.of("a", 1).isEmpty(); }
    static double logarithm() { return Math.log10(7.943486843694112); }
    static double square() { return Math.pow(3, 2) + Math.sqrt(2) + Math.log10(1000) + Math.floor(2.5); }
    static int asserted(int x) { assert x >= 0; return x; }
    static int unasserted(int x) { return x; }
    static String plain(int x) { return "x" + x + List.of(1, 2) + Integer.toHexString(x); }
}
