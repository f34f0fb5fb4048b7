import java.io.Serializable;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.*;

/** Lambda expressions and method references of every kind. */
public class Lambdas {
    int base = 10; static int calls;
    static int twice(int x) { calls++; return 2 * x; } int plus(int x) { return base + x; } private int hidden(int x) { return base - x; }
    static void testNoCapture() { Supplier<String> s = () -> "s"; Runnable r = () -> System.out.println("run"); r.run(); System.out.println(s.get()); }
    static void testCaptures() { int i = 1; long l = 2; float f = 3; double d = 4; char c = 'c'; byte b = 5; short sh = 6; boolean z = true; String t = "t"; int[] a = {7}; Supplier<String> s = () -> "" + i + l + f + d + c + b + sh + z + t + a[0]; a[0] = 8; System.out.println(s.get()); }
    static void testStaticReference() { IntUnaryOperator f = Lambdas::twice; Function<Integer, Integer> g = Lambdas::twice; System.out.println(f.applyAsInt(4) + g.apply(5) + " " + f.andThen(x -> x + 1).compose(x -> x * 10).applyAsInt(1)); }
    static void testBoundReference() { Lambdas l = new Lambdas(); IntUnaryOperator f = l::plus; l.base = 20; l = null; System.out.println(f.applyAsInt(1)); Supplier<Integer> n = "hello"::length; System.out.println(n.get()); }
    static void testBoundNull() { String s = null; Supplier<Integer> n = s::length; }
    static void testUnboundReference() { ToIntFunction<String> f = String::length; BiFunction<String, String, Boolean> g = String::equals; Function<Object, String> h = Object::toString; System.out.println(f.applyAsInt("abc") + " " + g.apply("a", "a") + h.apply(5)); }
    static void testInterfaceReference() { Function<List<Integer>, Integer> f = List::size; BiPredicate<Collection<?>, Object> p = Collection::contains; System.out.println(f.apply(List.of(1, 2)) + " " + p.test(Set.of(3), 3)); }
    static void testConstructorReference() { Function<String, Integer> f = Integer::new; Supplier<List<String>> s = ArrayList::new; Function<Integer, List<String>> g = ArrayList::new; System.out.println(f.apply("12") + s.get().size() + g.apply(5).size()); }
    static void testArrayReference() { IntFunction<int[]> f = int[]::new; Function<Integer, String[]> g = String[]::new; IntFunction<int[][]> h = int[][]::new; System.out.println(f.apply(3).length + g.apply(4).length + h.apply(2).length); }
    class Inner { int v = base; } static void testInnerConstructorReference() { new Lambdas().go(); } void go() { Supplier<Inner> s = Inner::new; System.out.println(s.get().v); }
    static String join(String... parts) { return String.join("-", parts); } interface Three { String of(String a, String b, String c); }
    static void testVarargsReference() { Three f = Lambdas::join; BinaryOperator<String> g = Lambdas::join; Supplier<String> n = Lambdas::join; System.out.println(f.of("a", "b", "c") + g.apply("x", "y") + n.get()); }
    static class Sup { String hi() { return "sup"; } } static class Sub extends Sup { String hi() { return "sub"; } Supplier<String> up() { return super::hi; } }
    static void testSuperReference() { System.out.println(new Sub().up().get()); }
    static void testPrivateReference() { new Lambdas().privately(); } void privately() { IntUnaryOperator f = this::hidden; System.out.println(f.applyAsInt(3)); }
    static void testBoxing() { Function<Integer, Long> f = i -> i + 1L; ToLongFunction<Integer> g = i -> i; IntFunction<Integer> h = i -> i; Supplier<Object> o = () -> 5; ToDoubleFunction<Integer> d = Integer::intValue; IntToLongFunction w = Lambdas::twice; System.out.println(f.apply(1) + g.applyAsLong(2) + h.apply(3) + " " + o.get() + d.applyAsDouble(4) + w.applyAsLong(5)); }
    static void testVoidCompatible() { Consumer<List<String>> c = l -> l.add("x"); Consumer<StringBuilder> app = StringBuilder::reverse; List<String> l = new ArrayList<>(); c.accept(l); StringBuilder b = new StringBuilder("ab"); app.accept(b); System.out.println(l + "" + b); LongSupplier s = () -> 5; Runnable r = s::getAsLong; r.run(); }
    static void testIntersectionCast() { Runnable r = (Runnable & Serializable) () -> System.out.println("ser"); r.run(); System.out.println(r instanceof Serializable); Comparator<String> c = (Comparator<String> & Serializable) (a, b) -> b.compareTo(a); System.out.println(c.compare("a", "b")); }
    interface SerFunction<A, B> extends Function<A, B>, Serializable {}
    static void testSerializableInterface() { SerFunction<Integer, String> f = Integer::toHexString; System.out.println(f.apply(255) + (f instanceof Serializable)); }
    interface Named<T> { T name(T t); } interface NamedString extends Named<String> { @Override String name(String s); }
    static void testBridgedLambda() { NamedString n = s -> s + "!"; Named<String> m = n; System.out.println(n.name("a") + m.name("b")); }
    static void testNestedLambdas() { Function<Integer, Function<Integer, Function<Integer, Integer>>> f = a -> b -> c -> a * 100 + b * 10 + c; System.out.println(f.apply(1).apply(2).apply(3)); }
    static IntSupplier counter() { int[] n = {0}; return () -> ++n[0]; }
    static void testClosureState() { IntSupplier a = counter(), b = counter(); a.getAsInt(); a.getAsInt(); System.out.println(a.getAsInt() + " " + b.getAsInt()); }
    static Function<Integer, Integer> fact; static void testRecursiveLambda() { fact = n -> n < 2 ? 1 : n * fact.apply(n - 1); System.out.println(fact.apply(10)); }
    static void testThrowsFromLambda() throws Exception { Callable<String> c = () -> { throw new java.io.IOException("inside"); }; c.call(); }
    static void testComposition() { Predicate<String> empty = String::isEmpty; System.out.println(empty.negate().and(s -> s.length() < 3).or(s -> s.equals("long one")).test("long one") + " " + Predicate.not(empty).test("") + Predicate.<String>isEqual("a").test("a")); UnaryOperator<String> up = String::toUpperCase; System.out.println(up.andThen(String::length).apply("abc") + Function.<Integer>identity().compose((String s) -> s.length()).apply("four")); }
    static void testBinaryOperators() { System.out.println(BinaryOperator.minBy(Comparator.<Integer>naturalOrder()).apply(3, 2) + BinaryOperator.maxBy(Comparator.<Integer>naturalOrder()).apply(3, 2)); BiFunction<Integer, Integer, Integer> f = Math::max; System.out.println(f.andThen(x -> -x).apply(4, 5)); }
    static void testPrimitiveFunctionals() { IntPredicate even = n -> n % 2 == 0; IntBinaryOperator sub = (a, b) -> a - b; DoubleUnaryOperator half = d -> d / 2; ObjIntConsumer<StringBuilder> add = StringBuilder::append; StringBuilder b = new StringBuilder(); add.accept(b, 7); System.out.println(even.or(n -> n == 3).test(3) + " " + sub.applyAsInt(1, 2) + half.applyAsDouble(5) + b); LongBinaryOperator lb = Long::sum; BooleanSupplier bs = () -> true; System.out.println(lb.applyAsLong(1L << 40, 2) + "" + bs.getAsBoolean()); }
    static void testLambdaInField() { class Holder { final Supplier<Integer> s; int n = 3; Holder() { s = () -> n; } } Holder h = new Holder(); h.n = 9; System.out.println(h.s.get()); }
    static void testLambdaInStaticInit() { System.out.println(Init.F.apply(3)); } static class Init { static final Function<Integer, Integer> F = x -> x + Init.K; static final int K = Integer.parseInt("4"); }
    static <T> T with(T t, Consumer<? super T> c) { c.accept(t); return t; } static void testGenericConsumer() { System.out.println(with(new StringBuilder("x"), b -> b.append("y").append(b.length()))); }
    static void testEnumReference() { Function<String, Thread.State> f = Thread.State::valueOf; System.out.println(f.apply("NEW").ordinal()); }
    static void testCastInLambda() { Function<Object, Integer> f = o -> (Integer) o; f.apply("not"); }
    static void testErasedCast() { Function<String, Integer> f = String::length; @SuppressWarnings({"unchecked", "rawtypes"}) Function<Object, Integer> g = (Function) f; g.apply(5); }
    static void testCharLambdas() { Function<Character, Integer> f = c -> c + 1; BiFunction<Character, Byte, Short> g = (c, b) -> (short) (c * b); System.out.println(f.apply('a') + g.apply('b', (byte) 3)); }
    static void testOverloadResolution() { System.out.println(call(() -> "callable") + call2(() -> {})); } static String call(Callable<String> c) { try { return c.call(); } catch (Exception e) { return "e"; } } static String call2(Runnable r) { r.run(); return "r"; }
}
