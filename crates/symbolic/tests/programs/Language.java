import java.util.*;
public class Language {
  record P(int x, String y) {}
  enum E { ONE, TWO; }
  sealed interface S permits C, D {}
  record C(int r) implements S {}
  record D(int w, int h) implements S {}
  static int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
  public static void main(String[] a) {
    System.out.println("hello " + 1 + ' ' + 2.5 + " " + true + " " + null);
    System.out.println(fib(15));
    List<Integer> l = new ArrayList<>();
    for (int i = 0; i < 10; i++) l.add(i * i % 7);
    Collections.sort(l);
    System.out.println(l);
    Map<String,Integer> m = new HashMap<>();
    for (String s : "a b c a b a".split(" ")) m.merge(s, 1, Integer::sum);
    System.out.println(m);
    System.out.println(new P(3, "q") + " " + new P(3,"q").equals(new P(3,"q")) + " " + new P(3,"q").hashCode());
    switch (E.valueOf("TWO")) { case ONE: System.out.println("1"); break; case TWO: System.out.println("2"); }
    try { Object o = "s"; Integer i = (Integer) o; } catch (ClassCastException e) { System.out.println("cce"); }
    try { int[] z = new int[2]; z[2] = 1; } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
    System.out.println(l.stream().map(x -> x + 1).filter(x -> x % 2 == 0).toList());
    System.out.println(String.format("%d and %s", 42, "str"));
    System.out.println(Integer.parseInt("123") + Long.MAX_VALUE);
    TreeMap<String,Integer> t = new TreeMap<>(m); System.out.println(t.firstKey());
    PriorityQueue<Integer> q = new PriorityQueue<>(l); System.out.println(q.poll());
    Optional<String> o = Optional.of("x"); System.out.println(o.map(s -> s + "y").orElse("z"));
    EnumMap<E,Integer> em = new EnumMap<>(E.class); em.put(E.ONE, 1); System.out.println(em);
    StringBuilder sb = new StringBuilder(); for (char c = 'a'; c < 'f'; c++) sb.append(c).reverse(); System.out.println(sb);
    int[] arr = {5,3,1,4}; Arrays.sort(arr); System.out.println(Arrays.toString(arr));
    System.out.println(Math.sqrt(2) + " " + Math.max(1,2) + " " + (float)1/3);
    
  }
}
