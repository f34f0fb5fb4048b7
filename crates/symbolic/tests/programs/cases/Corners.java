import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/** Corners of the library that rest on the machine itself: reflection, threads, properties, streams. */
public class Corners {
    static class Nested {}
    private static class Hidden {}
    protected interface Shape {}
    static double zero = 0;
    static int none = 0;

    interface Action { Object run() throws Throwable; }

    /** Prints the result of an action, or the exception that it throws. */
    static void show(Action action) {
        try {
            System.out.println(action.run());
        } catch (NullPointerException e) {
            System.out.println("null pointer");
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    static void testSetNumbersWider() {
        long[] longs = new long[1]; double[] doubles = new double[1]; float[] floats = new float[1]; short[] shorts = new short[1]; int[] ints = new int[2];
        Array.setInt(longs, 0, -5); Array.set(doubles, 0, 7); Array.set(floats, 0, 'c'); Array.setByte(shorts, 0, (byte) -3); Array.setChar(ints, 0, '\uffff'); Array.setShort(ints, 1, (short) -2);
        System.out.println(longs[0] + " " + doubles[0] + " " + floats[0] + " " + shorts[0] + " " + ints[0] + " " + ints[1]);
        Array.setLong(floats, 0, Long.MAX_VALUE); Array.setFloat(doubles, 0, 1.5f); Array.setLong(doubles, 0, 1L << 60); Array.set(longs, 0, (byte) -1);
        System.out.println(floats[0] + " " + doubles[0] + " " + longs[0]);
    }
    static void testSetNumbersNarrower() { show(() -> { Array.setLong(new int[1], 0, 5); return "set"; }); show(() -> { Array.set(new byte[1], 0, 5); return "set"; }); show(() -> { Array.setInt(new char[1], 0, 5); return "set"; }); show(() -> { Array.set(new char[1], 0, (short) 5); return "set"; }); show(() -> { Array.setBoolean(new int[1], 0, true); return "set"; }); show(() -> { Array.setInt(new Object[1], 0, 1); return "set"; }); }
    static void testSetNoNumber() { show(() -> { Array.set(new int[1], 0, null); return "set"; }); show(() -> { Array.set(new int[1], 0, "text"); return "set"; }); show(() -> { Array.set(new int[1], 3, 1); return "set"; }); show(() -> { Array.set(new String[1], 0, 5); return "set"; }); show(() -> { Array.set(new String[1], 0, null); return "set"; }); show(() -> { Array.set("text", 0, 5); return "set"; }); }
    static void testGetNumbers() { show(() -> Array.getLong(new int[] {3}, 0)); show(() -> Array.getInt(new char[] {'a'}, 0)); show(() -> Array.getDouble(new long[] {9}, 0)); show(() -> Array.getFloat(new int[] {16777217}, 0)); show(() -> Array.getBoolean(new boolean[] {true}, 0)); show(() -> Array.getByte(new byte[] {-1}, 0)); show(() -> Array.getChar(new char[] {'x'}, 0)); show(() -> Array.getShort(new byte[] {-1}, 0)); }
    static void testGetNumbersMismatch() { show(() -> Array.getInt(new boolean[1], 0)); show(() -> Array.getInt(new Object[1], 0)); show(() -> Array.getShort(new char[1], 0)); show(() -> Array.getInt(new long[1], 0)); show(() -> Array.getInt("text", 0)); show(() -> Array.getInt(null, 0)); }
    static void testGetOutside() { show(() -> Array.get(new int[1], 3)); show(() -> Array.get(new Object[1], -1)); show(() -> Array.getInt(new int[1], 3)); show(() -> Array.getLength("text")); }
    static void testNewArrays() { show(() -> Array.newInstance(void.class, 1)); show(() -> Array.newInstance(int.class, -1)); show(() -> Array.newInstance(null, 1)); show(() -> Array.newInstance(String.class, 2).getClass()); }

    static void testCompareLongs() { long[] a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, b = a.clone(); System.out.println(Arrays.equals(a, b) + "" + Arrays.mismatch(a, b) + Arrays.compare(a, b)); b[9] = 0; System.out.println(Arrays.mismatch(a, b) + "" + Arrays.equals(a, b) + Arrays.compare(a, b)); b[1] = 7; System.out.println(Arrays.mismatch(a, b) + "" + Arrays.compare(a, b) + Arrays.mismatch(a, 2, 5, b, 2, 5) + Arrays.equals(a, 1, 4, b, 1, 4)); }
    static void testCompareDoubles() { double[] a = {0, 1, 2}, b = {0, 1, 3}; System.out.println(Arrays.equals(a, b) + "" + Arrays.mismatch(a, b) + Arrays.compare(a, b)); a[1] = Double.NaN; b[1] = Double.longBitsToDouble(0x7ff8000000000001L); b[2] = 2; System.out.println(Arrays.equals(a, b) + "" + Arrays.mismatch(a, b)); a[0] = -0.0; System.out.println(Arrays.equals(a, b) + "" + Arrays.mismatch(a, b)); }
    static void testCompareOthers() {
        System.out.println(Arrays.equals(new boolean[] {true, true}, new boolean[] {true, false}) + "" + Arrays.mismatch(new float[] {0.0f}, new float[] {-0.0f}) + Arrays.compare(new int[] {1, 2}, new int[] {1, 3}));
        byte[] bytes = new byte[37]; char[] chars = new char[19]; short[] shorts = new short[9]; int[] ints = new int[7]; float[] floats = new float[5];
        for (int i = 0; i < 37; i++) { byte[] other = bytes.clone(); other[i] = 1; System.out.print(Arrays.mismatch(bytes, other)); }
        for (int i = 0; i < 19; i++) { char[] other = chars.clone(); other[i] = 1; System.out.print(Arrays.mismatch(chars, other)); }
        for (int i = 0; i < 9; i++) { short[] other = shorts.clone(); other[i] = 1; System.out.print(Arrays.mismatch(shorts, other)); }
        for (int i = 0; i < 7; i++) { int[] other = ints.clone(); other[i] = 1; System.out.print(Arrays.mismatch(ints, other)); }
        for (int i = 0; i < 5; i++) { float[] other = floats.clone(); other[i] = 1; System.out.print(Arrays.mismatch(floats, other)); }
    }
    static void testBuffersMismatch() { java.nio.LongBuffer a = java.nio.LongBuffer.wrap(new long[] {1, 2, 3}), b = java.nio.LongBuffer.wrap(new long[] {1, 2, 4}); System.out.println(a.mismatch(b) + "" + a.equals(b) + a.compareTo(b)); }

    static void testInternUnpaired() { String high = new String(new char[] {0xD800}).intern(), other = new String(new char[] {0xD801}).intern(); System.out.println((int) high.charAt(0) + " " + high.length() + (high == other) + (high == "\ud800") + (high == new String(new char[] {0xD800}).intern())); }
    static void testRefersToShared() { System.out.println(new WeakReference<>(5).refersTo(5) + "" + new WeakReference<>(500).refersTo(500) + new WeakReference<Object>(null).refersTo(null) + new AtomicReference<>(5).compareAndSet(5, 6) + new AtomicReference<>(500).compareAndSet(500, 6)); }
    static void testIdentityMap() { IdentityHashMap<Integer, String> m = new IdentityHashMap<>(); m.put(5, "a"); m.put(5, "b"); m.put(500, "c"); m.put(500, "d"); System.out.println(m.size() + "" + m.get(5) + m.get(500)); }

    static void testThread() { Thread t = Thread.currentThread(); System.out.println(t.getName() + t.getPriority() + t.getState() + t.isDaemon() + t.isAlive() + t.isInterrupted()); }
    static void testThreadName() { Thread t = Thread.currentThread(); String before = t.getName(); t.setName("other"); System.out.println(t.getName()); t.setName(before); }
    static void testLoaders() { System.out.println((Corners.class.getClassLoader() != null) + "" + String.class.getClassLoader() + int.class.getClassLoader() + (Corners[].class.getClassLoader() == Corners.class.getClassLoader()) + (Thread.currentThread().getContextClassLoader() == Nested.class.getClassLoader()) + Corners.class.getClassLoader().getName()); }
    static void testForNameLoader() { show(() -> Class.forName("Corners$Nested", true, null)); show(() -> Class.forName("Corners$Nested", true, Corners.class.getClassLoader())); show(() -> Class.forName("java.lang.String", true, null)); }
    volatile int count;
    volatile String label;
    int plain;
    static void testUpdaters() { Corners c = new Corners(); var counts = java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Corners.class, "count"); var labels = java.util.concurrent.atomic.AtomicReferenceFieldUpdater.newUpdater(Corners.class, String.class, "label"); System.out.println(counts.addAndGet(c, 5) + counts.getAndIncrement(c) + labels.getAndSet(c, "x") + c.count + c.label); show(() -> java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Corners.class, "plain")); show(() -> java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater(Corners.class, "count")); }
    static void testDeclaredFields() { show(() -> Corners.class.getDeclaredField("count").getType()); show(() -> Corners.class.getDeclaredField("label").getName()); show(() -> Modifier.toString(Corners.class.getDeclaredField("zero").getModifiers())); show(() -> Corners.class.getDeclaredField("nothing")); }
    static void testPackageNames() { System.out.println(Corners.class.getPackageName() + "|" + String.class.getPackageName() + "|" + Map.Entry[].class.getPackageName()); }

    static void testModifiers() { for (Class<?> c : new Class<?>[] {int.class, int[].class, Corners[].class, Nested.class, Nested[].class, Nested[][].class, Hidden.class, Hidden[].class, Shape.class, Shape[].class, Runnable.class, Map.Entry[].class}) System.out.print(c.getModifiers() + Modifier.toString(c.getModifiers()) + ","); }
    static void testHiddenClasses() { Runnable r = () -> {}; int x = none; Runnable captures = () -> System.out.println(x); Comparator<String> c = String::compareTo; System.out.println(r.getClass().isSynthetic() + "" + r.getClass().isHidden() + captures.getClass().isHidden() + c.getClass().isHidden() + r.getClass().getInterfaces().length + new Object() {}.getClass().isHidden() + String.class.isHidden() + r.getClass().getSimpleName().startsWith("Corners$$Lambda") + r.getClass().getName().startsWith("Corners$$Lambda")); }
    static void testEnclosing() { System.out.println(Nested.class.getEnclosingClass() + "" + Nested.class.getDeclaringClass() + Nested.class.isMemberClass() + new Object() {}.getClass().isAnonymousClass() + new Object() {}.getClass().getName()); }
    static void testAssignable() { System.out.println(int.class.isAssignableFrom(int.class) + "" + Object.class.isAssignableFrom(int.class) + Object.class.isAssignableFrom(int[].class) + Cloneable.class.isAssignableFrom(int[].class) + int[].class.getSuperclass() + int[].class.getInterfaces().length + Runnable.class.getSuperclass() + int.class.getSuperclass()); }
    static void testForNames() { for (String name : new String[] {"[I", "[Ljava.lang.String;", "[Lnope;", "[[Lno.such.Type;", "int", "java/lang/String", "java.util.Map$Entry", "[[D", "", "[", "[V", "[LCorners;", "LCorners;", "Corners[]"}) show(() -> Class.forName(name)); }
    static void testForNameNull() { show(() -> Class.forName(null)); }

    static void testPropertyNames() { show(() -> System.getProperty("")); show(() -> System.getProperty(null)); show(() -> System.getProperty("", "default")); show(() -> System.setProperty("", "v")); show(() -> System.getenv(null)); show(() -> Integer.getInteger("")); show(() -> Boolean.getBoolean(null)); }
    static void testSetProperty() { show(() -> System.setProperty("corners.key", "v")); show(() -> System.getProperty("corners.key")); show(() -> System.setProperty("corners.key", "w")); show(() -> System.getProperty("corners.key", "d")); show(() -> System.clearProperty("corners.key")); show(() -> System.getProperty("corners.key", "d")); show(() -> System.setProperty("corners.key", null)); }
    static void testPropertiesAreLive() { System.getProperties().setProperty("corners.other", "7"); show(() -> System.getProperty("corners.other")); show(() -> Integer.getInteger("corners.other")); System.getProperties().remove("corners.other"); show(() -> System.getProperty("corners.other")); show(() -> Boolean.getBoolean("corners.other") + "" + Long.getLong("corners.other")); }
    static void testLineSeparatorKept() { String before = System.lineSeparator(); System.setProperty("line.separator", "|"); System.out.print(System.lineSeparator().equals(before)); System.setProperty("line.separator", before); }

    static void testClosedOutput() { System.out.print("before"); System.out.close(); System.out.print("after"); System.out.println(5); System.out.write(65); System.out.printf("%d", 5); System.out.flush(); if (!System.out.checkError()) throw new IllegalStateException("no error"); }
    static void testOpenOutput() { System.out.append("abc", 1, 2).append(null).append('c'); System.out.print((String) null); System.out.print((Object) null); System.out.println(new char[] {'x'}); System.out.write('z'); System.out.printf("%d%n", 5); System.out.println(System.out.checkError()); }
    static void testSleeps() { show(() -> { Thread.sleep(-1); return "slept"; }); show(() -> { Thread.sleep(0, 1000000); return "slept"; }); show(() -> { Thread.sleep(0, 5); return "slept"; }); }

    static synchronized void notifyClass() { Corners.class.notify(); }
    synchronized void notifyThis() { notifyAll(); }
    static void testMonitors() {
        Object lock = new Object(), other = new Object();
        show(() -> { lock.notify(); return "notified"; });
        show(() -> { Corners.class.notifyAll(); return "notified"; });
        show(() -> { synchronized (lock) { lock.notifyAll(); synchronized (other) { lock.notify(); other.notify(); } return Thread.holdsLock(lock) + "" + Thread.holdsLock(other); } });
        show(() -> { synchronized (lock) { other.notify(); return "notified"; } });
        show(() -> { synchronized (lock) { Runnable r = () -> lock.notify(); r.run(); } lock.notify(); return "notified"; });
        show(() -> { notifyClass(); new Corners().notifyThis(); return Thread.holdsLock(Corners.class); });
        show(() -> { lock.wait(1); return "waited"; });
        show(() -> Thread.holdsLock(null));
    }
    static void testMath() { System.out.println(Math.floorMod(-7, 3) + "" + Math.floorDiv(-7, 3) + Math.abs(Integer.MIN_VALUE) + Math.round(-2.5) + Math.round(0.49999999999999994) + Math.rint(2.5) + Math.rint(-0.2) + Math.fma(2.0, 3.0, 4.0) + Math.scalb(1.5f, 3) + Math.nextUp(1.0) + Math.ulp(1e10) + Math.getExponent(1e-320) + Math.cbrt(27) + Math.hypot(3, 4) + Math.signum(-0.0) + Math.copySign(1, -0.0)); }
    static void testStrictMath() { System.out.println(StrictMath.sinh(0.5) + "" + StrictMath.cosh(25.5) + StrictMath.tanh(0.1) + StrictMath.log1p(0.3) + StrictMath.expm1(0.3) + StrictMath.atan2(1, -2) + StrictMath.asin(0.3) + StrictMath.IEEEremainder(5, 3) + StrictMath.cbrt(3) + StrictMath.exp(1.5) + StrictMath.hypot(1, 2) + StrictMath.pow(1.1, 2.2)); }
    static void testMathLimits() { System.out.println(Math.IEEEremainder(7, 4) + " " + Math.atan(2) + Math.asin(2) + Math.toRadians(30) + Math.sinh(Double.NEGATIVE_INFINITY) + Math.pow(-8, 1 / 3.0) + Math.pow(1, Double.NaN) + Math.pow(Double.NaN, 0) + Math.pow(-1, Double.POSITIVE_INFINITY) + Math.pow(2, 10) + Math.pow(-3, 3) + Math.pow(2, -1074)); }
    static void testNaNBits() { double z = zero; System.out.println(Long.toHexString(Double.doubleToRawLongBits(Double.longBitsToDouble(0x7ff8000000000123L))) + Integer.toHexString(Float.floatToRawIntBits(Float.intBitsToFloat(0xffc00005))) + Double.doubleToLongBits(z / z) + Float.floatToIntBits((float) (z / z))); }
    static void testNumbers() { System.out.println((5.5 % -2) + " " + (-5.5 % 2) + (1e300 % 3) + (0.0 / none) + (-0.0 == 0.0) + Double.compare(-0.0, 0.0) + (int) Double.NaN + (long) 1e30 + (int) (char) -1.5 + (byte) 300.7 + (1 << 33) + (1L << 65) + (-1 >>> 33) + (-1 >> 31) + ((byte) 0x80 >>> 1) + (char) ('a' + 1) + ('a' + 1) + (short) 40000 + (Integer.MIN_VALUE / (none - 1)) + (Integer.MIN_VALUE % (none - 1))); }
    static void testParsing() { System.out.println(Double.parseDouble("0x1.8p1") + "" + Double.valueOf("1e400") + Float.parseFloat("1e-46") + Double.toHexString(-0.1) + Double.parseDouble("  1d ") + Integer.decode("-0x10") + Long.parseUnsignedLong("18446744073709551615") + Integer.toString(-255, 16) + Integer.reverse(1) + Integer.divideUnsigned(-1, 3)); show(() -> Integer.parseInt("99999999999")); }
    static void testFloatTexts() { System.out.println(1.0f + "" + 1e10f + 1.1f * 1.1f + 1e-5 + 100.0 + 1e7 + 1.0E-3 + Float.MIN_VALUE + Double.MAX_VALUE + 2.2250738585072014E-308 + (0.1 + 0.2) + (float) 0.1); }

    static void testCopies() { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 1, 4); System.out.println(Arrays.toString(a)); show(() -> { System.arraycopy(new Object[] {"a", 5}, 0, new String[2], 0, 2); return "copied"; }); show(() -> { System.arraycopy(new int[2], 0, new long[2], 0, 0); return "copied"; }); show(() -> { System.arraycopy(new int[2], 1, new int[2], 0, Integer.MAX_VALUE); return "copied"; }); show(() -> { System.arraycopy(new int[2], -1, new int[2], 0, -3); return "copied"; }); show(() -> { System.arraycopy(new Object[2], 3, new String[2], 0, 0); return "copied"; }); show(() -> { System.arraycopy("a", 0, null, 0, 0); return "copied"; }); show(() -> { System.arraycopy(new int[2][2], 0, new Object[2], 0, 2); return "copied"; }); }
    static void testStores() { show(() -> { Object[] o = new Integer[1]; o[0] = "s"; return "stored"; }); show(() -> { Object[] o = new int[1][]; o[0] = new long[1]; return "stored"; }); show(() -> new int[2][none - 1]); show(() -> new int[none - 1][]); show(() -> new int[] {1}[none - 1]); }
    static void testCasts() { show(() -> { Object o = "s"; return (Integer) o; }); show(() -> { Object o = new int[0]; return (Corners[]) o; }); show(() -> { Object o = new Corners(); return (Runnable) o; }); show(() -> 1 / none); show(() -> new Corners().clone()); }
    static void testNulls() { show(() -> { synchronized ((Object) null) { return "locked"; } }); show(() -> { throw null; }); show(() -> { String s = null; switch (s) { default: return "switched"; } }); show(() -> { Integer i = null; int n = i; return n; }); show(() -> List.of(1, null)); show(() -> ((Corners) null).toString()); }
    static void testNullMessage() { try { Objects.requireNonNull((String) null); } catch (NullPointerException e) { System.out.println(e.getMessage()); } try { Objects.requireNonNull(null, "given"); } catch (NullPointerException e) { System.out.println(e.getMessage()); } }
    static void testIndexMessages() { show(() -> "abc".substring(2, 1)); show(() -> "abc".charAt(5)); show(() -> new StringBuilder("abc").charAt(5)); show(() -> Map.of(1, 2, 1, 3)); show(() -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3)); for (int i : l) l.remove(0); return l; }); }
    static void testFailedClass() { class Failing { static int v = 1 / none; } show(() -> Failing.v); show(() -> Failing.v); }

    enum Letter { A, B }
    record Quad(int a, double b, String s, int[] c) {}
    static void testEnums() { System.out.println(EnumSet.allOf(Letter.class) + "" + new EnumMap<Letter, Integer>(Map.of(Letter.B, 1)) + Letter.A.getDeclaringClass().getSimpleName() + Letter.A.compareTo(Letter.B)); show(() -> Letter.valueOf("C")); }
    static void testRecords() { System.out.println(new Quad(1, -0.0, "x", null) + "" + new Quad(1, 0.0, "x", null).equals(new Quad(1, -0.0, "x", null)) + new Quad(1, 2, "s", null).hashCode()); }
    static void testFormats() { System.out.println(String.format("%5.2f|%-5d|%05d|%x|%e|%s|%c|%b|%,d|%+d|%o|%h", 3.14159, 42, 42, 255, 12345.678, "s", 'c', true, 1234567, 5, 8, "hi") + String.format("%10s|%.3s|%S|%%|%n|%g|%a", "ab", "abcdef", "up", 0.0001234, 1.0)); }
    static void testCharacters() { System.out.println(Character.isLetter('\u00aa') + "" + Character.isDigit('\u0661') + Character.getNumericValue('\u2167') + Character.isJavaIdentifierStart('$') + Character.isWhitespace('\u00a0') + Character.isSpaceChar('\u00a0') + Character.getType('a')); }
    static void testBoxes() { Integer a = 127, b = 127, c = 128, d = 128; Long l = 127L; System.out.println((a == b) + "" + (c == d) + l.equals(127) + (System.identityHashCode(a) == System.identityHashCode(b)) + (System.identityHashCode(null))); }
    static void testLock() { ReentrantLock l = new ReentrantLock(); l.lock(); l.lock(); System.out.println(l.getHoldCount() + "" + l.isHeldByCurrentThread() + l.toString().endsWith("[Locked by thread main]")); show(() -> { new ReentrantLock().unlock(); return "unlocked"; }); }
    static void testObjectTexts() { System.out.println(new Object().toString().startsWith("java.lang.Object@") + "" + new int[0].toString().startsWith("[I@")); }
    static void testConcurrentMap() { System.out.println(new ConcurrentHashMap<>(Map.of(1, 2)).merge(1, 5, Integer::sum) + "" + List.of(1, 2, 3).parallelStream().mapToInt(x -> x).sum()); }
    static void testVersion() { System.out.println(Runtime.version() != null); }
    static void testMalformedBytes() { String s = new String(new byte[] {(byte) 0xc3, 0x28}, java.nio.charset.StandardCharsets.UTF_8); System.out.println((int) s.charAt(0) + s.substring(1) + "\u00e9\u20ac".getBytes(java.nio.charset.StandardCharsets.UTF_8).length); }
    static void testLittleEndianBuffer() { java.nio.ByteBuffer b = java.nio.ByteBuffer.allocate(16).order(java.nio.ByteOrder.LITTLE_ENDIAN); b.putLong(0x0102030405060708L).putFloat(1.5f); System.out.println(b.get(0) + " " + b.getShort(1) + b.getFloat(8) + (int) b.getChar(0)); }
    static void testAccessOrder() { LinkedHashMap<Integer, Integer> m = new LinkedHashMap<>(16, 0.75f, true) { @Override protected boolean removeEldestEntry(Map.Entry<Integer, Integer> e) { return size() > 2; } }; m.put(1, 1); m.put(2, 2); m.get(1); m.put(3, 3); System.out.println(m); }
    static void testTraceElement() { StackTraceElement e = new Throwable().getStackTrace()[0]; System.out.println(e.getClassName() + e.getMethodName() + e.getFileName() + e.getModuleName() + Thread.currentThread().getStackTrace()[1].getMethodName()); }
    static void testSuppressed() { try (AutoCloseable c = () -> { throw new Exception("close"); }) { throw new Exception("body"); } catch (Exception e) { System.out.println(e.getMessage() + e.getSuppressed().length + e.getSuppressed()[0].getMessage()); } }
    static void testHiddenFields() { class A { int v = 1; int get() { return v; } } class B extends A { int v = 2; @Override int get() { return super.get() + v; } } A a = new B(); System.out.println(a.v + "" + ((B) a).v + a.get()); }
    static void testHashes() { System.out.println(Objects.hash(1, "a", null) + " " + Arrays.hashCode(new double[] {1, 0.0 / none}) + Arrays.deepToString(new int[][] {{1}, {2}}) + Optional.of(5) + OptionalInt.empty()); }
    static void testOverflow() { try { deeper(1); } catch (StackOverflowError e) { System.out.println("overflow"); } }
    static String deeper(int x) { return deeper(x + 1) + x; }
}
