/** Joining and splitting of strings. */
public class Concatenation {
    static Object nothing; static String none;
    static void testAllTypes() { boolean z = true; byte b = -1; char c = 'c'; short s = -2; int i = 3; long l = 4; float f = 5.5f; double d = 6.25; System.out.println("" + z + b + c + s + i + l + f + d + "t" + nothing + none + new StringBuilder("sb")); }
    static void testCharsAddAsNumbers() { char a = 'a', b = 'b'; System.out.println(a + b + "" + a + b); }
    static void testCompound() { String s = "a"; s += 1; s += 'c'; s += 2.0; s += null; s += new int[0].length; System.out.println(s); String[] arr = {"x"}; int i = 0; arr[i++] += i; System.out.println(arr[0] + i); }
    static void testConstants() { final String k = "k"; final int n = 5; System.out.println(k + n + (k + n == "k5") + ("k" + n).equals("k5")); }
    static void testSpecialCharacters() { String tag = "\1\2"; int x = 7; System.out.println((x + "\1" + x + tag + "\u00e9\u4e2d" + x).length() + "\u00e9\u4e2d\ud83d\ude00" + x); }
    static String big(int i) { return "a" + i + "b" + i + "c" + i + "d" + i + "e" + i + "f" + i + "g" + i + "h" + i + "i" + i + "j" + i + "k" + i + "l" + i + "m" + i + "n" + i + "o" + i + "p" + i; }
    static void testHalfCharacters() { int x = 7; String s = "\ud800" + x + "\udc00b" + x; System.out.println((int) s.charAt(0) + " " + (int) s.charAt(2) + " " + s.length()); System.out.println("<\ud800>"); }
    static void testMany() { System.out.println(big(-12)); }
    static void testNullObjectToString() { Object o = new Object() { public String toString() { return null; } }; System.out.println("x" + o); }
    static void testOrderOfEffects() { int[] n = {0}; System.out.println(n[0]++ + "-" + n[0]++ + "-" + n[0]); }
    static void testToStringThrows() { Object o = new Object() { public String toString() { throw new IllegalStateException("ts"); } }; System.out.println("x" + o); }
    static void testTextBlock() { System.out.println("""
            Hello,
              "World" \
            joined\tTab
            trailing   \s
            \"""end"""); }
    static void testTextBlockFormatted() { System.out.println("""
        %s is %d
        """.formatted("x", 5)); }
    static void testStringBuilder() { StringBuilder b = new StringBuilder(4); b.append(1).append('c').append("s").append(2L).append(1.5f).append(2.5).append(true).append((Object) null).append(new char[] {'x', 'y'}).append("abcdef", 1, 3).append(new char[] {'1', '2', '3'}, 1, 2).appendCodePoint(0x1f600); System.out.println(b + " " + b.length() + b.codePointAt(b.length() - 2)); }
    static void testBuilderEdits() { StringBuilder b = new StringBuilder("hello world"); b.insert(0, 12).insert(3, true).setCharAt(0, 'Z'); b.delete(1, 3).deleteCharAt(0).replace(0, 2, "RR").setLength(8); System.out.println(b + "|" + b.indexOf("e") + b.lastIndexOf("e") + b.charAt(2) + b.substring(3) + b.subSequence(1, 4)); b.setLength(10); System.out.println((int) b.charAt(9)); }
    static void testBuilderReverse() { System.out.println(new StringBuilder("ab\ud83d\ude00c").reverse() + "" + new StringBuilder("").reverse() + new StringBuilder("abc").compareTo(new StringBuilder("abd"))); }
    static void testBuilderBounds() { new StringBuilder("abc").deleteCharAt(3); }
    static void testBuilderInsertBounds() { new StringBuilder("abc").insert(4, "x"); }
    static void testStringBuffer() { StringBuffer b = new StringBuffer("x"); b.append(1).insert(0, "y").reverse(); System.out.println(b + "" + b.capacity()); }
    static void testStringJoiner() { java.util.StringJoiner j = new java.util.StringJoiner(", ", "{", "}"); j.setEmptyValue("EMPTY"); System.out.print(j); j.add("a").add("b"); System.out.println(j + "" + j.length() + j.merge(new java.util.StringJoiner("-").add("c").add("d"))); }
    static void testJoin() { System.out.println(String.join("/", "a", "b", "c") + String.join(",", java.util.List.of("x")) + String.join(",", java.util.List.of())); }
    static void testIntern() { String a = new String("intern"), b = "intern"; System.out.println((a == b) + " " + (a.intern() == b) + ("in" + "tern" == b)); }
    static void testValueOf() { System.out.println(String.valueOf(1) + String.valueOf('c') + String.valueOf(true) + String.valueOf(1.0f) + String.valueOf(new char[] {'a', 'b'}) + String.valueOf((Object) null) + String.copyValueOf(new char[] {'1', '2', '3'}, 1, 2)); }
    static void testLatinToUtf16() { StringBuilder b = new StringBuilder("latin"); b.append('\u0400').append("more"); b.deleteCharAt(5); System.out.println(b + " " + b.toString().equals("latinmore") + b.toString().hashCode()); }
}
