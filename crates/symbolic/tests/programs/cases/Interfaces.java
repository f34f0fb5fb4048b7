import java.util.*;
import java.util.function.*;

/** Interfaces, generics, records and sealed hierarchies. */
public class Interfaces {
    interface Greeter { String name(); default String greet() { return prefix() + name(); } private String prefix() { return "Hi " + of(); } static String of() { return "."; } }
    interface Loud extends Greeter { @Override default String greet() { return Greeter.super.greet().toUpperCase(); } }
    static class Person implements Loud { public String name() { return "Ann"; } }
    static void testDefaultMethods() { System.out.println(new Person().greet() + Greeter.of()); Greeter g = () -> "lambda"; System.out.println(g.greet()); }
    interface Left { default String who() { return "left"; } } interface Right { default String who() { return "right"; } } static class Both implements Left, Right { public String who() { return Left.super.who() + Right.super.who(); } }
    static void testDiamond() { System.out.println(new Both().who()); }
    static class Top { public String who() { return "class"; } } static class Wins extends Top implements Left {}
    static void testClassWins() { Left l = new Wins(); System.out.println(l.who()); }
    interface Shape<T extends Shape<T>> { T self(); default int cmp(T o) { return self().hashCode() - o.hashCode(); } } static class Sq implements Shape<Sq> { final int n; Sq(int n) { this.n = n; } public Sq self() { return this; } public int hashCode() { return n; } }
    static void testBridges() { Shape<Sq> s = new Sq(4); System.out.println(s.cmp(new Sq(1)) + " " + s.self().n); Comparable<String> c = "b"; System.out.println(c.compareTo("a")); }
    static class Box<T> { T value; Box(T value) { this.value = value; } <R> Box<R> map(Function<? super T, ? extends R> f) { return new Box<>(f.apply(value)); } T get() { return value; } }
    static void testGenericClass() { System.out.println(new Box<>("abc").map(String::length).map(n -> n * 1.5).get()); }
    @SuppressWarnings({"unchecked", "rawtypes"}) static void testHeapPollution() { Box raw = new Box(1); Box<String> b = raw; String s = b.get(); }
    static <T extends Comparable<? super T>> T largest(Collection<? extends T> all) { Iterator<? extends T> it = all.iterator(); T best = it.next(); while (it.hasNext()) { T next = it.next(); if (next.compareTo(best) > 0) best = next; } return best; }
    static void testBoundedGenerics() { System.out.println(largest(List.of(3, 9, 4)) + largest(Set.of("x"))); }
    @SafeVarargs static <T> List<T> listOf(T... ts) { return new ArrayList<>(Arrays.asList(ts)); }
    static void testGenericVarargs() { System.out.println(listOf(1, "a", null, 2.5)); }
    static class Animal { Object speak() { return "..."; } } static class Dog extends Animal { @Override String speak() { return "woof"; } }
    static void testCovariantReturn() { Animal a = new Dog(); System.out.println(a.speak()); }
    static abstract class Visitor<R> { abstract R visit(int n); R visit(String s) { return visit(s.length()); } }
    static void testAnonymousGeneric() { System.out.println(new Visitor<List<Integer>>() { List<Integer> visit(int n) { return List.of(n, n); } }.visit("four")); }

    record Point(int x, int y) { static final Point ORIGIN = new Point(0, 0); Point { if (x < 0) throw new IllegalArgumentException("negative " + x); } Point(int both) { this(both, both); } double length() { return Math.sqrt(x * x + y * y); } static Point of(int n) { return new Point(n); } }
    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, int[] a, Object o) {}
    record Empty() {}
    record Pair<A, B>(A first, B second) implements Comparable<Pair<A, B>> { public int compareTo(Pair<A, B> o) { return first.hashCode() - o.first.hashCode(); } }
    record Named(String name) { @Override public String toString() { return "<" + name + ">"; } public String name() { return name + "!"; } }
    static void testRecord() { Point p = new Point(3, 4); System.out.println(p + " " + p.x() + p.y() + p.length() + p.equals(new Point(3, 4)) + p.equals(Point.of(3)) + p.hashCode() + Point.ORIGIN); }
    static void testRecordOfAllTypes() { All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.5, "t", null, List.of(1)); System.out.println(a + " " + a.hashCode() + a.equals(new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6.5, "t", null, List.of(1)))); }
    static void testRecordFloats() { record F(float f, double d) {} System.out.println(new F(0f, Double.NaN).equals(new F(0f, Double.NaN)) + " " + new F(0f, 0).equals(new F(-0f, 0)) + new F(-0f, 1e300).hashCode()); }
    static void testEmptyRecord() { System.out.println(new Empty() + " " + new Empty().hashCode() + new Empty().equals(new Empty()) + new Empty().equals(null)); }
    static void testRecordGeneric() { Pair<String, Pair<Integer, Integer>> p = new Pair<>("a", new Pair<>(1, null)); System.out.println(p + " " + p.hashCode() + p.compareTo(new Pair<>("b", null))); }
    static void testRecordOverrides() { System.out.println(new Named("n") + new Named("m").name() + new Named("k").equals(new Named("k"))); }
    static void testRecordValidates() { new Point(-1, 0); }
    static void testRecordsInMap() { Map<Point, String> m = new HashMap<>(); m.put(new Point(1, 2), "a"); m.put(Point.of(1), "b"); m.put(new Point(1, 2), "c"); System.out.println(m.size() + m.get(new Point(1, 2)) + m.get(new Point(1, 1)) + m.get(new Point(9, 9))); }
    sealed interface Expr permits Num, Add, Neg {} record Num(int n) implements Expr {} record Add(Expr l, Expr r) implements Expr {} record Neg(Expr e) implements Expr {}
    static int eval(Expr e) { if (e instanceof Num n) return n.n(); if (e instanceof Add a) return eval(a.l()) + eval(a.r()); if (e instanceof Neg n) return -eval(n.e()); throw new AssertionError(); }
    static void testSealed() { Expr e = new Add(new Num(4), new Neg(new Add(new Num(1), new Num(2)))); System.out.println(eval(e) + " " + e); }
    interface Const { int A = 3; String B = "b" + A; List<String> C = List.of(B); }
    static void testInterfaceConstants() { System.out.println(Const.A + Const.B + Const.C); }
    enum Op implements IntBinaryOperator { ADD("+") { public int applyAsInt(int a, int b) { return a + b; } }, MUL("*") { public int applyAsInt(int a, int b) { return a * b; } }; final String sign; Op(String sign) { this.sign = sign; } }
    static void testEnumImplements() { for (Op op : Op.values()) System.out.println(op + op.sign + op.applyAsInt(6, 7)); }
    static void testIterableImplementation() { Iterable<Integer> down = () -> new Iterator<>() { int n = 3; public boolean hasNext() { return n > 0; } public Integer next() { return n--; } }; for (int i : down) System.out.print(i); down.forEach(System.out::print); }
    static void testIteratorRemoveUnsupported() { Iterator<Integer> it = new Iterator<>() { public boolean hasNext() { return true; } public Integer next() { return 1; } }; it.remove(); }
    static <T, R extends Collection<T>> R fill(Supplier<R> make, T... ts) { R r = make.get(); r.addAll(Arrays.asList(ts)); return r; }
    static void testGenericSupplier() { System.out.println(fill(TreeSet::new, 3, 1, 2) + "" + fill(LinkedList::new, "z", "a")); }
    static void testComparableSort() { record V(int a, String b) implements Comparable<V> { public int compareTo(V o) { int c = Integer.compare(a, o.a); return c != 0 ? c : b.compareTo(o.b); } } var l = new ArrayList<>(List.of(new V(2, "x"), new V(1, "z"), new V(1, "y"))); Collections.sort(l); System.out.println(l); }
}
