import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Streams, optional values and iteration. */
public class Streams {
    record Person(String name, int age, String city) {}
    static final List<Person> PEOPLE = List.of(new Person("Ann", 30, "Oslo"), new Person("Bob", 25, "Rome"), new Person("Cid", 35, "Oslo"), new Person("Dee", 25, "Paris"));
    static void testMapFilter() { System.out.println(Stream.of(1, 2, 3, 4, 5, 6).filter(x -> x % 2 == 0).map(x -> x * x).collect(Collectors.toList())); }
    static void testToList() { System.out.println(Stream.of("a", "b").toList() + "" + IntStream.of(3, 1, 2).boxed().toList() + Stream.empty().toList()); }
    static void testSorted() { System.out.println(Stream.of("pear", "fig", "apple").sorted().toList() + "" + Stream.of("pear", "fig", "apple").sorted(Comparator.comparing(String::length)).toList()); }
    static void testDistinctLimitSkip() { System.out.println(Stream.of(3, 1, 3, 2, 1, 5, 6).distinct().skip(1).limit(3).toList()); }
    static void testFlatMap() { System.out.println(Stream.of(List.of(1, 2), List.<Integer>of(), List.of(3)).flatMap(List::stream).map(x -> x + 1).toList() + "" + Stream.of("a b", "c").flatMap(s -> Arrays.stream(s.split(" "))).toList()); }
    static void testMapMulti() { System.out.println(Stream.of(1, 2, 3).<Integer>mapMulti((x, sink) -> { for (int i = 0; i < x; i++) sink.accept(x); }).toList()); }
    static void testReduce() { System.out.println(Stream.of(1, 2, 3, 4).reduce(0, Integer::sum) + " " + Stream.of("a", "b").reduce(String::concat).get() + Stream.<Integer>empty().reduce(Integer::max).isPresent() + Stream.of("x", "yy").reduce(0, (n, s) -> n + s.length(), Integer::sum)); }
    static void testIntStream() { System.out.println(IntStream.rangeClosed(1, 5).sum() + " " + IntStream.range(0, 5).average().getAsDouble() + IntStream.of(4, 2, 8).max().getAsInt() + IntStream.iterate(1, x -> x * 2).limit(8).boxed().collect(Collectors.toList()) + IntStream.range(0, 4).mapToObj(Integer::toString).collect(Collectors.joining("|"))); }
    static void testIntSummary() { System.out.println(IntStream.of(4, 2, 8).summaryStatistics() + " " + PEOPLE.stream().collect(Collectors.summarizingInt(Person::age))); }
    static void testLongAndDoubleStreams() { System.out.println(LongStream.rangeClosed(1, 20).reduce(1, (a, b) -> a * b) + " " + DoubleStream.of(1.5, 2.5).sum() + DoubleStream.of(0.1, 0.2, 0.3).sum() + Stream.of(1, 2).mapToDouble(x -> x / 2.0).max().getAsDouble() + IntStream.of(1, 2).asLongStream().sum() + IntStream.of(1, 2).asDoubleStream().average().getAsDouble()); }
    static void testJoining() { System.out.println(PEOPLE.stream().map(Person::name).collect(Collectors.joining(", ", "<", ">")) + Stream.<String>empty().collect(Collectors.joining(",", "[", "]"))); }
    static void testGroupingBy() { TreeMap<String, List<String>> m = PEOPLE.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.mapping(Person::name, Collectors.toList()))); System.out.println(m); }
    static void testGroupingByCounting() { System.out.println(new TreeMap<>(PEOPLE.stream().collect(Collectors.groupingBy(Person::age, Collectors.counting())))); }
    static void testPartitioningBy() { System.out.println(PEOPLE.stream().collect(Collectors.partitioningBy(p -> p.age() > 26, Collectors.averagingInt(Person::age)))); }
    static void testToMap() { System.out.println(new TreeMap<>(PEOPLE.stream().collect(Collectors.toMap(Person::city, Person::age, Integer::sum)))); PEOPLE.stream().collect(Collectors.toMap(Person::city, Person::age)); }
    static void testToSetAndCollections() { System.out.println(Stream.of(3, 1, 3).collect(Collectors.toCollection(TreeSet::new)) + "" + Stream.of(1, 1).collect(Collectors.toSet()) + Stream.of(1).collect(Collectors.toUnmodifiableList())); }
    static void testCollectorCombinators() { System.out.println(Stream.of(1, 2, 3, 4).collect(Collectors.teeing(Collectors.counting(), Collectors.summingInt(x -> x), (n, s) -> s + "/" + n)) + Stream.of(1, 2, 3).collect(Collectors.collectingAndThen(Collectors.toList(), Collections::unmodifiableList)) + Stream.of(5, 3).collect(Collectors.minBy(Comparator.naturalOrder())).get() + Stream.of(1, 2, 3).collect(Collectors.filtering(x -> x > 1, Collectors.reducing(0, Integer::sum))) + Stream.of(List.of(1), List.of(2)).collect(Collectors.flatMapping(List::stream, Collectors.toList()))); }
    static void testMatch() { System.out.println(PEOPLE.stream().anyMatch(p -> p.age() > 34) + " " + PEOPLE.stream().allMatch(p -> p.age() > 34) + PEOPLE.stream().noneMatch(p -> p.city().isEmpty()) + Stream.empty().allMatch(x -> false)); }
    static void testFind() { System.out.println(PEOPLE.stream().filter(p -> p.age() < 30).findFirst().map(Person::name).orElse("?") + Stream.of(1, 2).findAny().isPresent() + Stream.empty().findFirst()); }
    static void testPeekIsLazy() { Stream<Integer> s = Stream.of(1, 2, 3, 4).peek(x -> System.out.print("p" + x)).filter(x -> x > 1); System.out.print("before "); System.out.println(s.findFirst().get()); }
    static void testIterateGenerate() { System.out.println(Stream.iterate(1, x -> x < 50, x -> x * 3).toList() + "" + Stream.generate(() -> "g").limit(2).toList() + Stream.iterate(new int[] {0, 1}, f -> new int[] {f[1], f[0] + f[1]}).limit(8).map(f -> f[0]).toList()); }
    static void testTakeDropWhile() { System.out.println(Stream.of(1, 2, 5, 1).takeWhile(x -> x < 3).toList() + "" + Stream.of(1, 2, 5, 1).dropWhile(x -> x < 3).toList()); }
    static void testConcat() { System.out.println(Stream.concat(Stream.of(1), Stream.of(2, 3)).toList() + "" + Stream.ofNullable(null).count() + Stream.<Integer>builder().add(4).add(5).build().toList()); }
    static void testReusedStream() { Stream<Integer> s = Stream.of(1); s.count(); s.count(); }
    static void testArraysStream() { System.out.println(Arrays.stream(new int[] {1, 2, 3}, 1, 3).sum() + Arrays.stream(new String[] {"a", "bb"}).mapToInt(String::length).sum() + Arrays.toString(Stream.of("x", "y").toArray(String[]::new)) + Arrays.toString(IntStream.range(0, 3).map(x -> x * x).toArray())); }
    static void testMaxMinCount() { System.out.println(PEOPLE.stream().max(Comparator.comparingInt(Person::age)).get().name() + PEOPLE.stream().min(Comparator.comparing(Person::city)).get().name() + PEOPLE.stream().mapToInt(Person::age).filter(a -> a == 25).count()); }
    static void testForEachOrdered() { Stream.of(3, 1, 2).forEachOrdered(System.out::print); List.of(9, 8).forEach(System.out::print); IntStream.range(0, 3).forEach(System.out::print); }
    static void testBoxedSorting() { System.out.println(IntStream.of(5, 3, 9).boxed().sorted(Comparator.reverseOrder()).map(String::valueOf).collect(Collectors.joining())); }
    static void testCollectThreeArguments() { System.out.println(Stream.of("a", "b").collect(StringBuilder::new, StringBuilder::append, StringBuilder::append).reverse()); }
    static void testPrimes() { System.out.println(IntStream.rangeClosed(2, 50).filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0)).boxed().toList()); }
    static void testWordCount() { System.out.println(Arrays.stream("to be or not to be".split(" ")).collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())).entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).map(e -> e.getKey() + "=" + e.getValue()).toList()); }
    static void testIterator() { Iterator<Integer> it = Stream.of(1, 2, 3).map(x -> x * 2).iterator(); int s = 0; while (it.hasNext()) s = s * 10 + it.next(); PrimitiveIterator.OfInt p = IntStream.range(0, 3).iterator(); System.out.println(s + "" + p.nextInt() + p.next()); }
    static void testStreamThrows() { Stream.of(1, 0).map(x -> 10 / x).forEach(System.out::println); }
    static void testParallelFlag() { System.out.println(Stream.of(1).isParallel() + "" + Stream.of(1, 2).sequential().unordered().count()); }
    static void testOnClose() { try (Stream<Integer> s = Stream.of(1).onClose(() -> System.out.println("closed"))) { System.out.println(s.count()); } }
    static void testRandomStream() { System.out.println(new Random(7).ints(5, 0, 100).boxed().toList()); }
    static void testOptional() { Optional<String> o = Optional.of("v"), e = Optional.empty(); System.out.println(o.map(String::length).get() + o.filter(String::isEmpty).orElse("none") + e.or(() -> Optional.of("other")).get() + e.isEmpty() + o + e + Optional.ofNullable(null).isPresent() + o.flatMap(s -> Optional.of(s + s)).orElseThrow() + e.orElseGet(() -> "gen") + o.stream().count() + o.equals(Optional.of("v")) + o.hashCode()); o.ifPresentOrElse(System.out::println, () -> System.out.println("no")); e.ifPresent(System.out::println); }
    static void testOptionalEmpty() { Optional.empty().get(); }
    static void testOptionalThrows() { Optional.empty().orElseThrow(() -> new IllegalStateException("mine")); }
    static void testOptionalPrimitives() { System.out.println(OptionalInt.of(3) + " " + OptionalDouble.empty() + OptionalLong.of(5).getAsLong() + OptionalInt.empty().orElse(7)); IntStream.empty().average().getAsDouble(); }
    static void testOptionalNull() { Optional.of(null); }
    static void testParallelStream() { System.out.println(List.of(1, 2, 3, 4).parallelStream().mapToInt(x -> x).sum()); }
}
