import java.util.*;

/** The methods of `String` and `Character`. */
public class Strings {
    static final String TEXT = "The quick brown fox";
    static void testCharAt() { System.out.println(TEXT.charAt(4) + TEXT.length() + "" + TEXT.isEmpty() + "".isEmpty() + " \t".isBlank()); }
    static void testCharAtBounds() { TEXT.charAt(-1); }
    static void testSubstring() { System.out.println(TEXT.substring(16) + TEXT.substring(4, 9) + "[" + TEXT.substring(19) + "]" + TEXT.subSequence(0, 3)); }
    static void testSubstringBounds() { TEXT.substring(5, 3); }
    static void testSubstringEndBounds() { TEXT.substring(2, 30); }
    static void testIndexOf() { System.out.println(TEXT.indexOf('q') + " " + TEXT.indexOf("o") + " " + TEXT.indexOf('o', 13) + " " + TEXT.lastIndexOf('o') + " " + TEXT.indexOf("zzz") + " " + TEXT.lastIndexOf("ick", 3) + " " + TEXT.indexOf("") + TEXT.lastIndexOf("")); }
    static void testIndexOfUtf16() { String s = "\u4e2d\u6587a\u4e2d"; System.out.println(s.indexOf('\u4e2d', 1) + " " + s.indexOf("a") + s.lastIndexOf("\u6587a") + s.contains("a\u4e2d")); }
    static void testContains() { System.out.println(TEXT.contains("quick") + " " + TEXT.startsWith("The") + TEXT.startsWith("quick", 4) + TEXT.endsWith("fox") + TEXT.endsWith("") + TEXT.contains("Fox")); }
    static void testEquals() { System.out.println("a".equals("A") + " " + "a".equalsIgnoreCase("A") + "a".equals(null) + "\u00e9".equalsIgnoreCase("\u00c9") + "a".contentEquals(new StringBuilder("a")) + "stra\u00dfe".equalsIgnoreCase("STRASSE")); }
    static void testCompareTo() { System.out.println("a".compareTo("b") + " " + "abc".compareTo("ab") + " " + "B".compareToIgnoreCase("a") + " " + "a".compareTo("\u4e2d") + " " + "".compareTo("x")); }
    static void testCase() { System.out.println("MiXed \u00e9\u00df".toUpperCase() + "MiXed \u00c9\u0130".toLowerCase(Locale.ROOT).length() + "ABC".toLowerCase()); }
    static void testTrimAndStrip() { String s = " \t x y \u2003\n"; System.out.println("[" + s.trim() + "][" + s.strip() + "][" + s.stripLeading() + "][" + s.stripTrailing() + "]"); }
    static void testReplace() { System.out.println("banana".replace('a', 'o') + "banana".replace("an", "<>") + "aaa".replace("aa", "b") + "abc".replace("", "-") + "x.y.z".replaceAll("\\.", "/") + "x1y22".replaceAll("[0-9]+", "#") + "aXbX".replaceFirst("X", "\\$")); }
    static void testReplaceGroups() { System.out.println("john smith".replaceAll("(\\w+) (\\w+)", "$2, $1")); }
    static void testSplit() { for (String s : new String[] {"a,b,,c,,", ",a", "", "abc"}) System.out.println(Arrays.toString(s.split(",")) + Arrays.toString(s.split(",", -1)) + Arrays.toString(s.split(",", 2))); }
    static void testSplitRegex() { System.out.println(Arrays.toString("a1b22c".split("\\d+")) + Arrays.toString("a b  c".split(" ")) + Arrays.toString("abc".split("")) + Arrays.toString("a|b".split("\\|"))); }
    static void testRepeat() { System.out.println("ab".repeat(3) + "x".repeat(0) + "".repeat(5)); "a".repeat(-1); }
    static void testChars() { System.out.println("hello".chars().filter(c -> c == 'l').count() + " " + "abc".chars().sum() + "a\ud83d\ude00".codePoints().count()); }
    static void testLines() { "a\nb\r\nc\rd".lines().forEach(System.out::println); System.out.println("x\n\ny\n".lines().count()); }
    static void testToCharArray() { char[] c = "hello".toCharArray(); Arrays.sort(c); System.out.println(new String(c) + new String(c, 1, 2) + c.length); }
    static void testGetBytes() throws Exception { System.out.println(Arrays.toString("a\u00e9\u4e2d".getBytes("UTF-8")) + Arrays.toString("a\u00e9".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)) + new String(new byte[] {104, 105, -61, -87}, java.nio.charset.StandardCharsets.UTF_8)); }
    static void testUtf16Bytes() { System.out.println(Arrays.toString("ab\u4e2d".getBytes(java.nio.charset.StandardCharsets.UTF_16BE)) + Arrays.toString("a?\u00e9".getBytes(java.nio.charset.StandardCharsets.US_ASCII))); }
    static void testHashCodes() { System.out.println("".hashCode() + " " + "abc".hashCode() + " " + "polygenelubricants".hashCode() + " " + "\u4e2d\u6587".hashCode() + " " + TEXT.hashCode()); }
    static void testMatches() { System.out.println("abc123".matches("[a-z]+\\d+") + " " + "abc".matches("ab") + "regionMatches".regionMatches(true, 0, "REGION", 0, 6)); }
    static void testIndentAndTranslate() { System.out.print("a\n b".indent(2) + "\\tx\\n".translateEscapes() + "  x\n y".stripIndent()); }
    static void testTransform() { System.out.println("5".transform(Integer::parseInt) + 1 + "b".describeConstable().get()); }
    static void testCodePoints() { String s = "a\ud83d\ude00b"; System.out.println(s.length() + " " + s.codePointCount(0, 4) + s.codePointAt(1) + " " + s.offsetByCodePoints(0, 2) + new String(Character.toChars(0x1f600)).equals("\ud83d\ude00") + Character.charCount(0x1f600)); }
    static void testConcatMethod() { System.out.println("a".concat("b").concat("") + "\u4e2d".concat("x")); }
    static void testFormatIntegers() { System.out.println(String.format("%d|%5d|%-5d|%05d|%+d|%,d|%(d|%x|%X|%o|%08x", 42, 42, 42, 42, 42, 1234567, -5, 255, 255, 8, 48879)); }
    static void testFormatLongs() { System.out.println(String.format("%d %d %x %,d", Long.MAX_VALUE, Long.MIN_VALUE, -1L, -9876543210L) + String.format("%d %x %d", (byte) -1, (byte) -1, (short) 7)); }
    static void testFormatFloats() { System.out.println(String.format("%f|%.2f|%8.3f|%-8.1f|%e|%.3e|%g|%+.1f|%,.2f|%05.1f", 3.14159, 2.005, -1.5, 2.25, 12345.678, 0.00012, 0.5, 1.0, 1234567.891, 9.99)); }
    static void testFormatSpecialFloats() { System.out.println(String.format("%f %f %.1f %5.2f %f", Double.NaN, Double.POSITIVE_INFINITY, -0.0, 1e10f, 1e-10)); }
    static void testFormatStrings() { System.out.println(String.format("%s|%10s|%-10s|%.2s|%S|%s|%s", "abc", "abc", "abc", "abc", "abc", null, List.of(1))); }
    static void testFormatOthers() { System.out.print(String.format("%c|%C|%b|%B|%b|%h|%%|%n|%2$s|%<s", 'x', 'y', true, false, null, "hash")); }
    static void testFormatMissingArgument() { String.format("%d %d", 1); }
    static void testFormatWrongType() { String.format("%d", "x"); }
    static void testFormatUnknown() { String.format("%q", 1); }
    static void testPrintf() { System.out.printf("%s-%03d%n", "a", 7); System.out.print('c'); System.out.print(1L); System.out.print(new char[] {'x'}); System.out.println((Object) null); System.out.println(2.5f); System.out.append("ap").append('p').println(); }
    static void testCharacterClasses() { for (char c : "aZ5 _\u00e9\u4e2d\n$".toCharArray()) System.out.print((Character.isLetter(c) ? "L" : "") + (Character.isDigit(c) ? "D" : "") + (Character.isWhitespace(c) ? "W" : "") + (Character.isUpperCase(c) ? "U" : "") + (Character.isLowerCase(c) ? "l" : "") + (Character.isLetterOrDigit(c) ? "n" : "") + (Character.isJavaIdentifierStart(c) ? "j" : "") + Character.getType(c) + ";"); }
    static void testCharacterConversions() { System.out.println(Character.toUpperCase('\u00e9') + "" + Character.toLowerCase('Q') + Character.getNumericValue('7') + Character.digit('f', 16) + Character.forDigit(11, 16) + Character.isSurrogate('\ud83d') + Character.toString(97) + Character.valueOf('z').compareTo('a') + Character.reverseBytes('a') + (int) Character.MAX_VALUE); }
    static void testStringComparators() { List<String> l = new ArrayList<>(List.of("b", "A", "c", "B")); l.sort(String.CASE_INSENSITIVE_ORDER); System.out.println(l); l.sort(null); System.out.println(l); }
    static void testSurrogatePairs() { StringBuilder b = new StringBuilder(); b.appendCodePoint(0x10400).append('x'); System.out.println(b.length() + " " + b.toString().toLowerCase().codePointAt(0)); }
}
