/** Loops, switches, exceptions, and their interaction with `finally`. */
public class ControlFlow {
    enum Colour { RED, GREEN, BLUE { @Override String name2() { return "bleu"; } }; String name2() { return name().toLowerCase(); } }

    static String text(String word) {
        switch (word) { case "Aa": return "1"; case "BB": return "2"; case "C": case "D": return "3"; default: return "?"; }
    }
    static void testStringSwitch() { System.out.println(text("Aa") + text("BB") + text("C") + text("D") + text("") + text("AaBB")); }
    static void testStringSwitchNull() { text(null); }
    static int table(int n) { switch (n) { case 1: case 2: n += 10; case 3: n++; break; case 5: return -1; default: n = 0; } return n; }
    static void testTableSwitch() { for (int i = -1; i < 7; i++) System.out.print(table(i) + " "); }
    static int sparse(int n) { return switch (n) { case -1000 -> 1; case 0 -> 2; case 99999 -> 3; case Integer.MAX_VALUE -> 4; default -> 5; }; }
    static void testLookupSwitch() { System.out.println(sparse(-1000) + sparse(0) * 10 + sparse(99999) * 100 + sparse(Integer.MAX_VALUE) * 1000 + sparse(1) * 10000); }
    static void testEnumSwitch() {
        for (Colour c : Colour.values()) { switch (c) { case RED: System.out.print("r"); case GREEN: System.out.print("g"); break; default: System.out.print("b"); } }
    }
    static void testEnumSwitchExpression() { for (Colour c : Colour.values()) System.out.println(switch (c) { case RED -> 1; case GREEN -> { int k = 2; yield k * k; } case BLUE -> 9; }); }
    static void testSwitchYieldsStrings() { for (int i = 0; i < 4; i++) { String s = switch (i) { case 0, 1 -> "few"; case 2 -> { if (i > 1) yield "two"; yield "no"; } default -> throw new IllegalStateException("at " + i); }; System.out.println(s); } }
    static void testCharSwitch() { String s = ""; for (char c : "a+1 z".toCharArray()) s += switch (c) { case '+', '-' -> "op"; case ' ' -> "_"; default -> Character.isDigit(c) ? "d" : "l"; }; System.out.println(s); }
    static void testEnumBodies() { for (Colour c : Colour.values()) System.out.println(c.name2() + " " + c.getClass() + " " + c.getDeclaringClass() + " " + c.ordinal()); }
    static void testEnumValueOf() { System.out.println(Colour.valueOf("RED").compareTo(Colour.BLUE)); Colour.valueOf("PINK"); }

    static void testLabelledBreak() { outer: for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) { if (j == 3) continue outer; if (i == 2) break outer; System.out.print(i * j + " "); } } System.out.println(); block: { if (table(1) > 0) break block; System.out.println("never"); } }
    static void testLoops() { int i = 0; do { i += 3; } while (i < 10); while (true) { if (i-- < 5) break; } for (int a = 0, b = 10; a < b; a++, b--) i += a * b; System.out.println(i); }
    static void testForEach() { int s = 0; for (int x : new int[] {1, 2, 3}) s += x; for (String t : java.util.List.of("a", "bb")) s += t.length(); System.out.println(s); }

    @SuppressWarnings("finally") static int finallyReturns() { try { throw new RuntimeException("lost"); } finally { return 3; } }
    static void testFinallyReturns() { System.out.println(finallyReturns()); }
    static int finallyChanges() { int x = 1; try { return x; } finally { x = 2; System.out.println("finally " + x); } }
    static void testFinallyDoesNotChangeResult() { System.out.println(finallyChanges()); }
    static String nested(int how) {
        StringBuilder log = new StringBuilder();
        try { try { if (how == 0) throw new IllegalArgumentException("a"); if (how == 1) throw new IllegalStateException("b"); if (how == 2) return log.append("r").toString(); log.append("n"); }
              catch (IllegalArgumentException e) { log.append("c").append(e.getMessage()); throw new RuntimeException("again", e); } finally { log.append("f"); } }
        catch (IllegalStateException e) { log.append("s"); } catch (RuntimeException e) { log.append("x").append(e.getCause().getMessage()); } finally { log.append("F"); }
        return log.toString();
    }
    static void testNestedTry() { for (int i = 0; i < 4; i++) System.out.println(nested(i)); }
    static void testMultiCatch() { for (int i = 0; i < 3; i++) try { if (i == 0) throw new java.io.IOException("io"); if (i == 1) throw new ArithmeticException("ar"); Integer.parseInt("x"); } catch (java.io.IOException | ArithmeticException e) { System.out.println(e); } catch (NumberFormatException e) { System.out.println("nf " + e.getMessage()); } }
    static void testFinallyInLoop() { for (int i = 0; i < 4; i++) { try { if (i == 1) continue; if (i == 3) break; System.out.print("b" + i); } finally { System.out.print("f" + i); } } }
    static class Resource implements AutoCloseable { final String name; Resource(String name) { this.name = name; System.out.println("open " + name); } public void close() throws Exception { System.out.println("close " + name); if (name.equals("bad")) throw new Exception("closing " + name); } }
    static void testTryWithResources() throws Exception { try (Resource a = new Resource("a"); Resource b = new Resource("b")) { System.out.println("body"); } }
    static void testSuppressed() { try (Resource a = new Resource("bad"); Resource b = null) { throw new IllegalStateException("body"); } catch (Exception e) { System.out.println(e + " " + e.getSuppressed().length + " " + e.getSuppressed()[0]); } }
    static void testCloseThrows() throws Exception { try (Resource a = new Resource("bad")) { System.out.println("body"); } }
    static void testCauses() { Throwable t = new Error("top", new RuntimeException(new java.io.IOException("deep"))); for (; t != null; t = t.getCause()) System.out.println(t); Exception e = new Exception(); e.initCause(new Error("x")); System.out.println(e.getMessage() + e.getCause()); }
    static void testInitCauseTwice() { new Exception("a", null).initCause(new Error()); }
    static class Own extends Exception { final int code; Own(int code) { super("code " + code); this.code = code; } @Override public String getLocalizedMessage() { return "local " + code; } }
    static void testOwnException() { try { throw new Own(7); } catch (Own o) { System.out.println(o + " " + o.getMessage() + " " + o.code); } }
    static void testUncaughtOwn() throws Own { throw new Own(8); }
    static void testRethrow() throws Exception { try { throw new Own(1); } catch (Exception e) { e.addSuppressed(new Error("s")); throw e; } }
    static void testThrowNull() { RuntimeException none = null; try { throw none; } catch (NullPointerException e) { System.out.println("null"); } }
    static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
    static void testRecursion() { System.out.println(depth(500)); }
    static int forever(int n) { return forever(n + 1) + 1; }
    static void testStackOverflow() { try { forever(0); } catch (StackOverflowError e) { System.out.println("overflow " + e.getMessage()); } }
    static void testStackTrace() { try { depthThrow(2); } catch (IllegalStateException e) { StackTraceElement[] t = e.getStackTrace(); System.out.println(t[0].getMethodName() + " " + t[1].getMethodName() + " " + t[3].getMethodName() + " " + t[0].getClassName() + " " + t[0].getLineNumber() + " " + t[0].getFileName()); } }
    static void depthThrow(int n) { if (n == 0) throw new IllegalStateException(); depthThrow(n - 1); }
    static void testAssert() { int x = table(3); assert x == 4; assert x > 100 : "x is " + x; }
    static void testNullPointer() { String s = null; System.out.println(s.length()); }
    static void testUnboxingNull() { Integer i = null; int j = i; }
    static void testSynchronized() { Object lock = new Object(); synchronized (lock) { synchronized (lock) { System.out.println("in"); } } try { synchronized (lock) { throw new RuntimeException("out"); } } catch (RuntimeException e) { System.out.println(e.getMessage()); } }
    static void testUnreachableCatch() { try { System.out.println("x".charAt(3)); } catch (StringIndexOutOfBoundsException e) { System.out.println(e.getMessage()); } }
    static void testObjectsChecks() { try { java.util.Objects.requireNonNull(null, "needed"); } catch (NullPointerException e) { System.out.println(e.getMessage()); } System.out.println(java.util.Objects.requireNonNullElse(null, "else")); java.util.Objects.checkIndex(5, 3); }
}
