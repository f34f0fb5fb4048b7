import java.util.*;

/** Unsupported features; each of these ends with a message that says so. */
public class Unsupported {
    static void testThread() throws Exception { Thread t = new Thread(() -> System.out.println("in thread")); t.start(); t.join(); }
    static void testExecutor() throws Exception { var e = java.util.concurrent.Executors.newSingleThreadExecutor(); e.submit(() -> 1).get(); e.shutdown(); }
    static void testFile() throws Exception { System.out.println(new java.io.File("/nowhere").exists()); }
    static void testFileStream() throws Exception { new java.io.FileInputStream("/dev/null").read(); }
    static void testNioFiles() throws Exception { System.out.println(java.nio.file.Files.exists(java.nio.file.Path.of("/"))); }
    static void testStandardInput() throws Exception { System.out.println(System.in.available() >= 0); }
    static void testSocket() throws Exception { new java.net.ServerSocket(0).close(); }
    static void testProcess() throws Exception { new ProcessBuilder("true").start().waitFor(); }
    static void testThreadGroup() { System.out.println(Thread.currentThread().getThreadGroup().getName()); }
    static void testThreadText() { System.out.println(Thread.currentThread()); }
    static void testModuleName() { System.out.println(String.class.getModule().getName()); }
    static void testResourceOfClass() { System.out.println(Unsupported.class.getResource("Unsupported.class") != null); }
    static void testResourceOfLoader() { System.out.println(Unsupported.class.getClassLoader().getResourceAsStream("none")); }
    static void testReflectiveCall() throws Exception { System.out.println(String.class.getMethod("length").invoke("abc")); }
    static void testReflectiveConstructor() throws Exception { System.out.println(StringBuilder.class.getDeclaredConstructor().newInstance().length()); }
    static void testReflectiveFields() throws Exception { System.out.println(Unsupported.class.getDeclaredFields().length); }
    static void testAnnotations() { System.out.println(Deprecated.class.getAnnotations().length); }
    static void testProxy() { Runnable r = (Runnable) java.lang.reflect.Proxy.newProxyInstance(Unsupported.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> null); r.run(); }
    static void testSerialisation() throws Exception { new java.io.ObjectOutputStream(new java.io.ByteArrayOutputStream()).writeObject("x"); }
    static void testNullPointerMessage() { try { ((String) null).length(); } catch (NullPointerException e) { System.out.println(e.getMessage() == null); } }
    static void testCharacterName() { System.out.println(Character.getName('a')); }
    static void testServiceLoader() { System.out.println(java.util.ServiceLoader.load(Runnable.class).findFirst().isPresent()); }
    static void testTimeZone() { System.out.println(java.time.ZoneId.of("Europe/Oslo").getRules() != null); }
    static void testCrc32() { var c = new java.util.zip.CRC32(); c.update(new byte[] {1, 2, 3}); System.out.println(c.getValue() > 0); }
    static void testDeflater() { var d = new java.util.zip.Deflater(); d.setInput(new byte[10]); d.finish(); System.out.println(d.deflate(new byte[50]) > 0); }
    static void testStackWalker() { System.out.println(StackWalker.getInstance().walk(s -> s.count()) > 0); }
    static void testHandleCombinators() throws Throwable { var h = java.lang.invoke.MethodHandles.constant(int.class, 5); System.out.println((int) h.invokeExact()); }
    static void testDateTimeFormatter() { System.out.println(java.time.LocalDate.of(2024, 1, 2).format(java.time.format.DateTimeFormatter.ofPattern("EEE dd/MM/uu"))); }
    static void testSecureRandom() { System.out.println(new java.security.SecureRandom().nextInt(1)); }
    static void testTextFormats() { System.out.println(new java.text.DecimalFormat("#,##0.00").format(1234567.891) + " " + java.text.MessageFormat.format("{0} has {1}", "a", 5)); }
}
