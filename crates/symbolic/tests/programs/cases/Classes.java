import java.util.function.*;

/** Classes of all kinds: inner, local, anonymous, with initialisers, overriding and hiding. */
public class Classes {
    int field = 7;
    class Inner { int field = 8; class Deeper { int sum() { return field + Classes.this.field + Inner.this.field; } } }
    static void testInner() { Classes c = new Classes(); Inner i = c.new Inner(); System.out.println(i.new Deeper().sum()); }
    static void testAnonymous() { int k = 5; Object o = new Object() { int n = k; @Override public String toString() { return "anon" + n; } }; System.out.println(o + " " + o.getClass().getName() + " [" + o.getClass().getSimpleName() + "]"); }
    static void testLocalClassCaptures() { int a = 3; String s = "x"; class Local { int b; Local(int b) { this.b = b; } String go() { return s + (a + b); } } System.out.println(new Local(4).go() + new Local(5).go() + Local.class.getSimpleName()); }
    static class Base { String name = "base"; Base() { System.out.println("Base sees " + describe()); } String describe() { return "b" + name; } static String kind() { return "Base"; } }
    static class Derived extends Base { String name = "derived"; final int n; Derived() { this(4); System.out.println("Derived()"); } Derived(int n) { super(); this.n = n; } @Override String describe() { return "d" + name + n + super.name; } static String kind() { return "Derived"; } }
    static void testConstructionOrder() { Derived d = new Derived(); System.out.println(d.describe() + ((Base) d).name + Base.kind() + Derived.kind()); }
    static class Blocks { static StringBuilder log = new StringBuilder("s"); static { log.append("1"); } int a = log.append("a").length(); { log.append("b"); } Blocks() { log.append("c"); } static { log.append("2"); } }
    static void testInitialiserBlocks() { new Blocks(); new Blocks(); System.out.println(Blocks.log); }
    static class Lazy { static { System.out.println("Lazy is initialised"); } static final int CONSTANT = 5; static final Integer BOXED = 6; static int plain = 7; }
    static void testLazyInitialisation() { System.out.println(Lazy.CONSTANT); Lazy[] none = new Lazy[2]; System.out.println(none.length); System.out.println(Lazy.BOXED + Lazy.plain); }
    static class ParentInit { static { System.out.println("parent"); } static int x = 1; }
    static class ChildInit extends ParentInit { static { System.out.println("child"); } }
    static void testInitialisationByParentField() { System.out.println(ChildInit.x); new ChildInit(); }
    static class Failing { static int x; static { System.out.println("failing"); x = Integer.parseInt("no"); } }
    static void testInitialiserFails() { try { Failing.x++; } catch (ExceptionInInitializerError e) { System.out.println(e.getCause() + " " + e.getMessage()); } try { Failing.x++; } catch (NoClassDefFoundError e) { System.out.println(e.getMessage()); } }
    static class FailingError { static int x; static { if (x == 0) throw new AssertionError("in init"); } }
    static void testInitialiserError() { System.out.println(FailingError.x); }
    static class CycleA { static int a = CycleB.b + 1; } static class CycleB { static int b = CycleA.a + 1; }
    static void testInitialisationCycle() { System.out.println(CycleA.a + " " + CycleB.b); }
    interface WithDefault { int X = say("interface"); default void m() {} static int say(String s) { System.out.println(s); return 1; } } static class Implements implements WithDefault { static { System.out.println("class"); } }
    static void testInterfaceInitialisation() { new Implements(); System.out.println(Implements.X); }
    enum Planet { EARTH(5.97), MARS(0.64); static final java.util.Map<String, Planet> BY = new java.util.HashMap<>(); static { for (Planet p : values()) BY.put(p.name(), p); } final double mass; Planet(double mass) { this.mass = mass; } double twice() { return 2 * mass; } }
    static void testEnumWithFields() { System.out.println(Planet.BY.get("MARS").twice() + " " + Planet.EARTH + " " + Planet.valueOf("EARTH").mass); }
    static abstract class Shape { abstract double area(); double twice() { return 2 * area(); } } static class Square extends Shape { final double side; Square(double side) { this.side = side; } double area() { return side * side; } }
    static void testAbstract() { Shape s = new Square(1.5); System.out.println(s.twice() + " " + (s instanceof Square) + ((Square) s).side); }
    static String over(Object o) { return "O"; } static String over(String s) { return "S"; } static String over(Integer i) { return "I"; } static String over(long l) { return "l"; } static String over(int... is) { return "v" + is.length; } static String over(char c) { return "c"; }
    static void testOverloads() { byte b = 1; System.out.println(over("x") + over((Object) "x") + over(1) + over(1L) + over('c') + over(b) + over() + over(1, 2) + over(1.5) + over((Integer) 5)); }
    static String varargs(String f, Object... os) { return f + os.length + (os.length > 0 ? os[0] : ""); }
    static void testVarargs() { System.out.println(varargs("a") + varargs("b", 1, "2") + varargs("c", (Object) new String[] {"x"}).substring(0, 2) + varargs("d", (Object[]) new String[] {"x", "y"}) + varargs("e", new int[] {1}).startsWith("e1")); }
    static class Counter implements Cloneable { int n; int[] list = {1, 2}; Counter(int n) { this.n = n; } @Override public Counter clone() { try { return (Counter) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } } }
    static void testClone() { Counter a = new Counter(1), b = a.clone(); b.n = 2; b.list[0] = 9; System.out.println(a.n + " " + b.n + " " + a.list[0] + (a == b) + (a.list == b.list)); }
    static class NotCloneable { Object copy() throws CloneNotSupportedException { return clone(); } }
    static void testNotCloneable() throws Exception { new NotCloneable().copy(); }
    static class Point { final int x, y; Point(int x, int y) { this.x = x; this.y = y; } @Override public boolean equals(Object o) { return o instanceof Point p && p.x == x && p.y == y; } @Override public int hashCode() { return 31 * x + y; } }
    static void testEqualsAndHashCode() { System.out.println(new Point(1, 2).equals(new Point(1, 2)) + " " + new Point(1, 2).hashCode() + " " + new java.util.HashSet<>(java.util.List.of(new Point(3, 4))).contains(new Point(3, 4)) + new Point(1, 1).equals(null)); }
    static class Node<T> { T value; Node<T> next; Node(T value, Node<T> next) { this.value = value; this.next = next; } }
    static void testLinkedStructure() { Node<Integer> list = null; for (int i = 0; i < 5; i++) list = new Node<>(i * i, list); int sum = 0; for (Node<Integer> n = list; n != null; n = n.next) sum = sum * 10 + n.value; System.out.println(sum); }
    static class Hide { String s = "outer"; class In { String s = "inner"; String both() { return s + Hide.this.s; } } } static class HideMore extends Hide { String s = "more"; String all() { return s + super.s + new In().both(); } }
    static void testHiddenFields() { System.out.println(new HideMore().all()); }
    private int secret = 3; static class Friend { int peek(Classes c) { c.secret++; return c.secret; } }
    static void testPrivateAccess() { Classes c = new Classes(); System.out.println(new Friend().peek(c) + c.secret); }
    static class Chain { StringBuilder b = new StringBuilder(); Chain add(Object o) { b.append(o); return this; } }
    static void testFluent() { System.out.println(new Chain().add(1).add('c').add(null).add(2.5).b.reverse()); }
    static class Gen { Supplier<Integer> s; int v; Gen(int v) { this.v = v; s = () -> this.v * 2; } }
    static void testLambdaCapturesThis() { Gen g = new Gen(4); g.v = 6; System.out.println(g.s.get()); }
    static void testClassCast() { Object o = "text"; Integer i = (Integer) o; }
    static void testOwnClassCast() { Object o = new Point(1, 2); Shape s = (Shape) o; }
    static void testArrayClassCast() { Object o = new int[0]; String[] s = (String[]) o; }
    static void testInstanceof() { Object[] all = {1, "s", 'c', null, new int[0], new String[0], new Square(1)}; for (Object o : all) System.out.print((o instanceof Number) + "" + (o instanceof Comparable) + (o instanceof Object[]) + (o instanceof Shape) + " "); }
    static void testPatternInstanceof() { Object[] all = {5, "four", 3L}; for (Object o : all) { if (o instanceof Integer i && i > 4) System.out.println("int " + i); else if (!(o instanceof String s)) System.out.println("no string"); else System.out.println(s.length()); } }
    static void testStaticNestedAccess() { Object o = new Classes.Square(2); System.out.println(o.getClass().getName() + " " + o.getClass().getSimpleName() + " " + o.getClass().getSuperclass().getSimpleName()); }
    static void testFinalLocalInLoop() { java.util.List<Supplier<Integer>> l = new java.util.ArrayList<>(); for (int i = 0; i < 3; i++) { final int k = i; l.add(() -> k * k); } for (var s : l) System.out.print(s.get()); }

    interface Told { int TOLD = say("T"); default void told() {} }
    interface Untold { int UNTOLD = say("U"); }
    interface Above extends Told, Untold { int ABOVE = say("A"); default void above() {} }
    static class First implements Untold { static { say("B"); say("" + Second.EARLY + (Second.late == null)); } }
    static class Second extends First implements Above { static final String EARLY = "early"; static String late = "l"; static { say("D"); } }
    static class FailsFirst { static { if (true) throw new IllegalStateException("first"); } }
    static class FailsToo extends FailsFirst { static int number = say("never"); }
    static int say(String what) { System.out.print(what); return 1; }

    static void testOrderOfInitialisation() {
        System.out.println(Second.late);
        System.out.println(Untold.UNTOLD);
    }

    static void testFailureOfASuperclass() {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(FailsToo.number);
            } catch (Throwable t) {
                System.out.println(t + (i == 0 ? " " + t.getCause() : ""));
            }
        }
    }

    static void testPlaceOfAFailedInitialiser() {
        try {
            System.out.println(FailsFirst.class.getName() + new FailsFirst());
        } catch (Throwable t) {
            System.out.println(t.getStackTrace()[0].getMethodName());
        }
    }

    static void testBoxesInReferences() {
        java.util.concurrent.atomic.AtomicReference<Integer> reference = new java.util.concurrent.atomic.AtomicReference<>(5);
        System.out.println(reference.compareAndSet(5, 6) + " " + reference.compareAndSet(1000, 7));
        java.util.Map<Object, String> map = new java.util.IdentityHashMap<>();
        map.put(5, "five");
        map.put(1000, "thousand");
        System.out.println(map.get(5) + map.get(1000));
    }

    static void initIDs() { System.out.println("own"); }

    static void testNamesOfNatives() { initIDs(); }
}
