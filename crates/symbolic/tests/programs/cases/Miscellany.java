import java.io.*;
import java.lang.invoke.*;
import java.math.*;
import java.nio.*;
import java.nio.charset.StandardCharsets;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.regex.*;

/** Other commonly used parts of the library. */
public class Miscellany {
    static void testBigIntegerArithmetic() { BigInteger a = new BigInteger("123456789012345678901234567890"), b = BigInteger.valueOf(987654321); System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.mod(b) + " " + a.negate().divide(b) + " " + a.pow(3) + " " + a.gcd(BigInteger.valueOf(30)) + a.compareTo(b) + a.signum()); }
    static void testSleepNegative() throws Exception { Thread.sleep(0); Thread.sleep(-1); }
    static void testReferenceClear() { java.lang.ref.WeakReference<String> r = new java.lang.ref.WeakReference<>("x"); System.out.println(r.get()); r.clear(); System.out.println(r.get()); }
    static void testTypeNames() { System.out.println(int[][].class.getTypeName() + String[].class.getTypeName() + Map.Entry.class.getTypeName()); }
    static void testForNameSlash() throws Exception { Class.forName("java/lang/String"); }
    static class Loud { static { System.out.println("loud"); } }
    static void testForNameQuiet() throws Exception { Class.forName("Miscellany$Loud", false, Miscellany.class.getClassLoader()); System.out.println("quiet"); Class.forName("Miscellany$Loud"); }
    static void testArrayReflectionWidens() { long[] l = new long[1]; java.lang.reflect.Array.set(l, 0, 5); System.out.println(l[0] + java.lang.reflect.Array.getInt(new short[] {7}, 0)); }
    static void testArrayReflectionMismatch() { java.lang.reflect.Array.set(new String[1], 0, 5); }
    static void testBigIntegerBits() { BigInteger a = new BigInteger("ff00ff00ff00ff00ff", 16); System.out.println(a.shiftLeft(5) + " " + a.shiftRight(9) + " " + a.and(BigInteger.TEN) + a.xor(BigInteger.TWO) + a.not() + a.bitLength() + a.bitCount() + a.testBit(8) + a.toString(36) + a.longValue() + a.hashCode() + Arrays.toString(a.toByteArray())); }
    static void testBigIntegerModular() { System.out.println(BigInteger.valueOf(7).modPow(BigInteger.valueOf(123), BigInteger.valueOf(1009)) + " " + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11)) + BigInteger.valueOf(97).isProbablePrime(10) + BigInteger.valueOf(144).sqrt()); }
    static void testBigIntegerFactorial() { BigInteger f = BigInteger.ONE; for (int i = 2; i <= 60; i++) f = f.multiply(BigInteger.valueOf(i)); System.out.println(f); }
    static void testBigIntegerErrors() { BigInteger.ONE.divide(BigInteger.ZERO); }
    static void testBigIntegerParseError() { new BigInteger("12x"); }
    static void testBigIntegerExact() { System.out.println(BigInteger.TEN.intValueExact()); BigInteger.TWO.pow(40).intValueExact(); }
    static void testBigDecimalArithmetic() { BigDecimal a = new BigDecimal("123.450"), b = new BigDecimal("-7.8"); System.out.println(a.add(b) + " " + a.multiply(b) + " " + a.divide(b, 5, RoundingMode.HALF_UP) + " " + a.setScale(1, RoundingMode.HALF_EVEN) + " " + a.stripTrailingZeros() + " " + a.negate().scale() + a.precision() + a.unscaledValue() + a.compareTo(new BigDecimal("123.45")) + a.equals(new BigDecimal("123.45")) + a.remainder(b)); }
    static void testBigDecimalText() { System.out.println(new BigDecimal("1E+10") + " " + new BigDecimal("1E+10").toPlainString() + " " + new BigDecimal("0.0000001") + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("12345678901234567890.12345").round(new MathContext(10)) + new BigDecimal("12.5").toEngineeringString()); }
    static void testBigDecimalRounding() { for (RoundingMode m : RoundingMode.values()) if (m != RoundingMode.UNNECESSARY) System.out.print(new BigDecimal("2.5").setScale(0, m) + "" + new BigDecimal("-1.1").setScale(0, m) + " "); }
    static void testBigDecimalNonTerminating() { BigDecimal.ONE.divide(new BigDecimal(3)); }
    static void testRandom() { Random r = new Random(12345); System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(64) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextFloat() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextInt(5, 10)); byte[] b = new byte[5]; r.nextBytes(b); System.out.println(Arrays.toString(b)); }
    static void testRandomBound() { new Random(1).nextInt(0); }
    static void testSplittableRandom() { SplittableRandom r = new SplittableRandom(99); System.out.println(r.nextInt(1000) + " " + r.nextLong() + " " + r.split().nextInt(1000)); }
    static void testLocalDate() { LocalDate d = LocalDate.of(2024, 2, 28); System.out.println(d.plusDays(2) + " " + d.plusMonths(1).getDayOfWeek() + d.isLeapYear() + d.getDayOfYear() + d.withDayOfMonth(1).minusYears(100) + d.isBefore(LocalDate.EPOCH) + d.lengthOfMonth() + LocalDate.parse("1999-12-31").toEpochDay() + d.until(LocalDate.of(2025, 1, 1)) + d.compareTo(LocalDate.MIN)); }
    static void testLocalDateErrors() { LocalDate.of(2023, 2, 29); }
    static void testLocalDateParseError() { LocalDate.parse("not a date"); }
    static void testLocalTime() { System.out.println(LocalTime.of(23, 59, 30).plusSeconds(45) + " " + LocalDateTime.of(2020, 1, 1, 0, 0).minusNanos(1) + " " + LocalTime.parse("10:15").toSecondOfDay() + " " + LocalTime.MIDNIGHT.isBefore(LocalTime.NOON)); }
    static void testDuration() { System.out.println(Duration.ofMinutes(135) + " " + Duration.between(LocalTime.of(1, 0), LocalTime.of(3, 30)).toMinutes() + Duration.ofMillis(-1500) + Period.of(1, 14, 3).normalized() + Instant.ofEpochSecond(1_000_000_000L) + Duration.parse("PT1H30M").getSeconds()); }
    static void testZoneOffset() { System.out.println(OffsetDateTime.of(2021, 6, 1, 12, 0, 0, 0, ZoneOffset.ofHours(2)).toInstant() + " " + ZoneOffset.UTC + DayOfWeek.MONDAY.plus(10) + Month.of(2).maxLength() + Year.isLeap(1900)); }
    static void testRegexFind() { Matcher m = Pattern.compile("(\\w)(\\d+)").matcher("a1 b22 c333"); while (m.find()) System.out.print(m.group() + m.group(1) + m.start() + m.end(2) + " "); System.out.println(m.groupCount()); }
    static void testRegexNamedGroups() { Matcher m = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)").matcher("on 2024-05"); System.out.println(m.find() + m.group("year") + m.group("month") + m.matches() + m.lookingAt()); }
    static void testRegexKinds() { for (String p : new String[] {"a*b", "a+?b", "[^a-c]x", "(ab|cd)+", "^\\s*$", "\\bfoo\\b", "(?i)HeLLo", "a{2,3}", "(a)\\1", "x(?=y)", "(?<!q)z", "\\p{Lu}+", "[a-z&&[^m]]+", "\\Qa.b\\E", "."}) { StringBuilder b = new StringBuilder(); for (String s : new String[] {"aab", "dx", "abcd", " ", "a foo b", "hello", "aaa", "aa", "xy", "az", "ABC", "a.b", "\n"}) b.append(Pattern.compile(p).matcher(s).find() ? 1 : 0); System.out.println(p + " " + b); } }
    static void testRegexReplace() { System.out.println(Pattern.compile("\\d").matcher("a1b2").replaceAll(r -> "<" + r.group() + ">") + Pattern.compile("(a)(b)?").matcher("aab").replaceAll("[$1]") + Arrays.toString(Pattern.compile("[,;]").split("a,b;c")) + Pattern.quote("a.b") + Matcher.quoteReplacement("$1") + Pattern.matches("a.c", "abc")); }
    static void testRegexSyntaxError() { Pattern.compile("a(b"); }
    static void testRegexNoMatch() { Pattern.compile("x").matcher("y").group(); }
    static void testRegexAppend() { Matcher m = Pattern.compile("cat").matcher("one cat two cats"); StringBuilder b = new StringBuilder(); while (m.find()) m.appendReplacement(b, "dog"); m.appendTail(b); System.out.println(b); }
    static void testReaders() throws IOException { BufferedReader r = new BufferedReader(new StringReader("one\ntwo\n")); System.out.println(r.readLine() + r.readLine() + r.readLine()); StringWriter w = new StringWriter(); PrintWriter p = new PrintWriter(w); p.printf("%d-%s", 1, "x"); p.println(); p.flush(); System.out.print(w); }
    static void testByteStreams() throws IOException { ByteArrayOutputStream o = new ByteArrayOutputStream(); DataOutputStream d = new DataOutputStream(o); d.writeInt(258); d.writeUTF("h\u00e9"); d.writeDouble(1.5); d.writeLong(-2); DataInputStream i = new DataInputStream(new ByteArrayInputStream(o.toByteArray())); System.out.println(o.size() + " " + i.readInt() + i.readUTF() + i.readDouble() + i.readLong() + Arrays.toString(o.toByteArray())); i.readByte(); }
    static void testPrintStreamToBytes() { ByteArrayOutputStream o = new ByteArrayOutputStream(); PrintStream p = new PrintStream(o); p.print("text "); p.println(5); p.flush(); System.out.print(o); }
    static void testInputStreamReader() throws IOException { Reader r = new InputStreamReader(new ByteArrayInputStream(new byte[] {'a', (byte) 0xc3, (byte) 0xa9}), StandardCharsets.UTF_8); System.out.println(r.read() + " " + r.read() + " " + r.read()); }
    static void testByteBuffer() { ByteBuffer b = ByteBuffer.allocate(16); b.putInt(7).putLong(9L).put((byte) 1).flip(); System.out.println(b.getInt() + " " + b.getLong() + b.get() + b.remaining() + b); }
    static void testCharBuffer() { CharBuffer b = CharBuffer.wrap("hello"); System.out.println(b.get() + "" + b.subSequence(0, 2) + b.length()); }
    static void testBase64() { String e = Base64.getEncoder().encodeToString("lapidary\u00e9".getBytes(StandardCharsets.UTF_8)); System.out.println(e + new String(Base64.getDecoder().decode(e), StandardCharsets.UTF_8) + HexFormat.of().formatHex(new byte[] {1, -1})); }
    static void testChecksums() { System.out.println(Objects.hash(1, "a", null) + " " + Arrays.hashCode(new Object[] {1, 2}) + List.of("x", 1).hashCode() + Map.of("k", "v").hashCode() + new AbstractMap.SimpleEntry<>(1, 2).hashCode()); }
    static void testObjects() { System.out.println(Objects.equals(null, null) + "" + Objects.equals("a", null) + Objects.toString(null, "d") + Objects.hashCode(null) + Objects.isNull(1) + Objects.compare("a", "b", Comparator.naturalOrder()) + Objects.requireNonNullElseGet(null, () -> "g")); }
    static void testAtomicInteger() { AtomicInteger a = new AtomicInteger(5); System.out.println(a.incrementAndGet() + a.getAndAdd(4) + " " + a.compareAndSet(10, 20) + a.updateAndGet(x -> x * 2) + a.accumulateAndGet(3, Integer::sum) + a.getAndUpdate(x -> 0) + a); }
    static void testAtomics() { AtomicLong l = new AtomicLong(); l.addAndGet(1L << 40); AtomicReference<String> r = new AtomicReference<>("a"); r.updateAndGet(s -> s + "b"); AtomicBoolean b = new AtomicBoolean(); AtomicIntegerArray n = new AtomicIntegerArray(3); n.incrementAndGet(1); LongAdder d = new LongAdder(); d.add(5); d.increment(); System.out.println(l + "" + r + b.getAndSet(true) + b + n + d.sum() + r.compareAndSet("x", "y")); }
    static void testThreadLocal() { ThreadLocal<List<Integer>> t = ThreadLocal.withInitial(ArrayList::new); t.get().add(1); t.get().add(2); System.out.println(t.get()); t.remove(); System.out.println(t.get() + Thread.currentThread().getName()); }
    static void testLocks() { ReentrantLock l = new ReentrantLock(); l.lock(); try { System.out.println(l.isHeldByCurrentThread() + "" + l.getHoldCount() + l.tryLock()); l.unlock(); } finally { l.unlock(); } System.out.println(l.isLocked()); ReadWriteLock rw = new ReentrantReadWriteLock(); rw.readLock().lock(); rw.readLock().unlock(); rw.writeLock().lock(); rw.writeLock().unlock(); l.unlock(); }
    static void testCompletableFuture() throws Exception { System.out.println(CompletableFuture.completedFuture(5).thenApply(x -> x * 2).thenCombine(CompletableFuture.completedFuture(3), Integer::sum).get()); CompletableFuture<String> f = new CompletableFuture<>(); f.thenAccept(System.out::println); f.complete("done"); }
    static void testCountDownLatch() throws Exception { CountDownLatch l = new CountDownLatch(1); l.countDown(); l.await(); Semaphore s = new Semaphore(2); s.acquire(); System.out.println(l.getCount() + " " + s.availablePermits()); }
    static void testSystemProperties() { System.out.println(System.lineSeparator().equals("\n") + System.getProperty("line.separator") + System.getProperty("no.such", "d") + System.getProperty("no.such") + System.getProperty("file.separator") + Integer.getInteger("none", 4)); }
    static void testRuntimeClassNames() { Object[] all = {1, "s", new int[0], new ArrayList<>(), Map.of().getClass(), TimeUnit.DAYS, new Object[0][0]}; for (Object o : all) System.out.print(o.getClass().getName() + " " + o.getClass().getSimpleName() + ";"); System.out.println(int.class + " " + void.class + " " + String.class + Runnable.class + int[][].class.getSimpleName() + Map.Entry.class.getName() + Map.Entry.class.getSimpleName()); }
    static void testClassQueries() throws Exception { System.out.println(Number.class.isInstance(5) + "" + Number.class.isAssignableFrom(Integer.class) + Integer.class.getSuperclass() + Runnable.class.isInterface() + Thread.State.class.isEnum() + int.class.isPrimitive() + Class.forName("java.util.ArrayList").getSimpleName() + ArrayList.class.getPackageName() + Number.class.cast(3) + Arrays.toString(Integer.class.getInterfaces().length > 0 ? new int[] {1} : null) + String[].class.getComponentType() + Deprecated.class.isAnnotation() + Map.Entry.class.getEnclosingClass() + Map.Entry.class.getCanonicalName() + Object.class.getSuperclass()); }
    static void testClassForNameMissing() throws Exception { Class.forName("no.such.Type"); }
    static void testClassCastMethod() { Integer.class.cast("x"); }
    static void testEnumConstants() { System.out.println(Arrays.toString(Thread.State.class.getEnumConstants()) + Enum.valueOf(TimeUnit.class, "DAYS").toHours(2) + TimeUnit.SECONDS.toMillis(3)); }
    static void testTimer() { System.out.println(TimeUnit.HOURS.convert(7200, TimeUnit.SECONDS) + " " + TimeUnit.NANOSECONDS.toMicros(5_000)); }
    static void testStringTokenizer() { StringTokenizer t = new StringTokenizer("a-b c", "- ", true); while (t.hasMoreTokens()) System.out.print("[" + t.nextToken() + "]"); }
    static void testCurrencyFreeLocale() { System.out.println(Locale.ROOT + Locale.US.toString() + "TITLE".toLowerCase(Locale.US) + String.format(Locale.US, "%,.1f", 12345.67)); }
    static int state = 1;
    static void testVarHandle() throws Exception { VarHandle h = MethodHandles.lookup().findStaticVarHandle(Miscellany.class, "state", int.class); h.set(5); System.out.println((int) h.get() + "" + h.compareAndSet(5, 6) + (int) h.getAndAdd(10) + state + (int) h.getAndBitwiseOr(9) + (int) h.getAndBitwiseXor(3) + (int) h.getAndSet(1) + state); VarHandle a = MethodHandles.arrayElementVarHandle(long[].class); long[] l = new long[2]; a.set(l, 1, 9L); System.out.println(l[1] + (long) a.getVolatile(l, 1)); }
    static void testWeakReference() { Object o = new Object(); var w = new java.lang.ref.WeakReference<>(o); System.out.println((w.get() == o) + "" + w.refersTo(o)); WeakHashMap<String, Integer> m = new WeakHashMap<>(); m.put("k", 1); System.out.println(m); }
    static void testSerialisationFreeCopy() { ArrayList<Integer> a = new ArrayList<>(List.of(1, 2)); @SuppressWarnings("unchecked") ArrayList<Integer> b = (ArrayList<Integer>) a.clone(); b.add(3); HashMap<Integer, Integer> m = new HashMap<>(Map.of(1, 2)); System.out.println(a + "" + b + m.clone()); }
    static void testPrintStackTrace() { StringWriter w = new StringWriter(); new IllegalStateException("outer", new Exception("inner")).printStackTrace(new PrintWriter(w)); String[] lines = w.toString().split("\n"); System.out.println(lines[0] + lines[1]); }
    static void testStackTraceInConstructor() { class Thrower { Thrower() { throw new IllegalArgumentException("in constructor"); } } try { new Thrower(); } catch (IllegalArgumentException e) { System.out.println(e.getStackTrace()[0].getMethodName() + e.getStackTrace()[1]); } }
    static void testStackWalkerFree() { StackTraceElement e = new Exception().getStackTrace()[0]; System.out.println(e + " " + e.equals(new StackTraceElement("a", "b", "c", 1)) + new StackTraceElement("a.B", "m", "B.java", 7)); }
    static void testSetStackTrace() { Exception e = new Exception(); e.setStackTrace(new StackTraceElement[] {new StackTraceElement("X", "y", null, -2)}); System.out.println(Arrays.toString(e.getStackTrace())); }
    static void testNoStackTrace() { Exception e = new Exception("m", null, false, false) {}; e.addSuppressed(new Error()); System.out.println(e.getStackTrace().length + e.getMessage() + e.getSuppressed().length); }
    static void testMessageDigest() throws Exception { for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512"}) { var d = java.security.MessageDigest.getInstance(name); d.update("lapid".getBytes()); System.out.println(d.getAlgorithm() + Arrays.toString(d.digest("ary".getBytes()))); } }
    static void testUuid() { UUID u = UUID.nameUUIDFromBytes("lapidary".getBytes(StandardCharsets.UTF_8)); System.out.println(u + " " + u.version() + u.hashCode() + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").getMostSignificantBits() + u.compareTo(new UUID(1, 2))); }
    static void testScanner() { Scanner s = new Scanner("12 word 3.5 true\nwhole line here\n99"); System.out.println(s.nextInt() + s.next() + s.nextDouble() + s.nextBoolean() + "[" + s.nextLine() + "]" + s.nextLine() + s.hasNextInt() + s.nextLong() + s.hasNext()); }
    static void testScannerMismatch() { new Scanner("x").nextInt(); }
    static void testScannerDelimiter() { System.out.println(new Scanner("a,b,,c").useDelimiter(",").tokens().toList() + "" + new Scanner("a1b2").findInLine("\\d")); }

    static void testStreamsOfOnesOwn() {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        java.io.PrintStream stream = new java.io.PrintStream(bytes);
        stream.print("kept");
        stream.println(5);
        stream.flush();
        System.out.println("[" + bytes.toString().trim() + "]");
    }

    static void testBytesToStandardOutput() {
        System.out.write(65);
        System.out.write("bcd\n".getBytes(), 1, 3);
        System.out.flush();
    }

    static void testWritersToStandardOutput() throws Exception {
        java.io.PrintWriter writer = new java.io.PrintWriter(System.out);
        writer.print("written ");
        writer.println(7);
        writer.flush();
        java.io.Writer other = new java.io.OutputStreamWriter(System.out);
        other.write("and more\n");
        other.flush();
    }
}
