import java.util.*;
import java.util.function.*;
import java.util.stream.*;
public class Library {
  interface Shape { double area(); default String name() { return getClass().getSimpleName(); } }
  static class Sq implements Shape { double s; Sq(double s){this.s=s;} public double area(){return s*s;} }
  static abstract class Base { static int count; int id = ++count; abstract int f(int x); public String toString(){return "Base"+id+":"+f(2);} }
  static class D1 extends Base { int f(int x){return x+1;} }
  static class D2 extends D1 { int f(int x){return super.f(x)*10;} }
  static <T extends Comparable<T>> T max(List<T> l){ T m=l.get(0); for(T t:l) if(t.compareTo(m)>0) m=t; return m; }
  static int tryf(int x){ try { if(x==0) throw new RuntimeException("zero"); return 1; } catch(RuntimeException e){ return 2; } finally { System.out.println("fin"+x); } }
  static String sw(String s){ switch(s){ case "a": return "A"; case "bb": return "BB"; default: return "?"; } }
  class Inner { int v = outerField; }
  int outerField = 7;
  public static void main(String[] args0) throws Exception { String[] args = new String[0];
    System.out.println(new Sq(2.0).name()+" "+new Sq(1.5).area());
    System.out.println(new D1()+" "+new D2());
    System.out.println(max(Arrays.asList(3,9,2))+" "+max(List.of("x","y")));
    System.out.println(tryf(0)+tryf(1));
    System.out.println(sw("a")+sw("bb")+sw("c"));
    System.out.println(new Library().new Inner().v);
    long l = 1L<<40; System.out.println(l+" "+(l>>>3)+" "+(int)l+" "+(char)97+" "+(byte)300+" "+5/2+" "+-5%3+" "+1e10+" "+1.0f/3+" "+0.1+" "+Double.NaN+" "+(1/0.0)+" "+(float)1e10);
    System.out.println(IntStream.rangeClosed(1,5).mapToObj(i->"n"+i).collect(Collectors.joining(",","[","]")));
    System.out.println(Stream.of("b","a","c").sorted().collect(Collectors.toList()));
    Map<Boolean,List<Integer>> p = IntStream.range(0,6).boxed().collect(Collectors.partitioningBy(i->i%2==0)); System.out.println(p);
    Map<Integer,Long> gb = Stream.of("aa","b","cc").collect(Collectors.groupingBy(String::length, Collectors.counting())); System.out.println(gb);
    Supplier<String> s = () -> "sup"; Function<Integer,Integer> f = x->x*2; BiFunction<Integer,Integer,Integer> g = Integer::sum; System.out.println(s.get()+f.andThen(f).apply(3)+g.apply(1,2));
    int[][] m = new int[3][4]; m[1][2]=5; System.out.println(Arrays.deepToString(m));
    StringBuilder sb = new StringBuilder("abc"); sb.insert(1,"X").append(1.5f).deleteCharAt(0); System.out.println(sb);
    System.out.println("Hello, World".toUpperCase().replace('L','x').substring(2,7)+" "+"a,b,,c".split(",").length+" "+"  trim ".trim()+"|"+String.join("-", "a","b")+" "+"abc".contains("bc")+" "+"abc".indexOf('c')+" "+"x".repeat(3)+" "+"é日本".length());
    Object o = 42; if (o instanceof Integer i && i > 40) System.out.println("pat"+i);
    String r = switch (args.length) { case 0 -> "none"; case 1 -> "one"; default -> { yield "many"; } }; System.out.println(r);
    Iterator<Integer> it = new LinkedList<>(List.of(1,2,3)).iterator(); int sum=0; while(it.hasNext()) sum+=it.next(); System.out.println(sum);
    ArrayDeque<Integer> dq = new ArrayDeque<>(); dq.push(1); dq.addLast(2); System.out.println(dq.pollFirst()+" "+dq);
    LinkedHashMap<String,Integer> lhm=new LinkedHashMap<>(); lhm.put("z",1); lhm.put("y",2); System.out.println(lhm.keySet());
    System.out.println(String.format("%5d|%-5s|%05.2f|%x|%c|%b|%,d", 42,"ab",3.14159,255,'q',true,1234567));
    System.out.println(Integer.toBinaryString(10)+" "+Integer.toHexString(-1)+" "+Long.parseLong("-99")+" "+Double.parseDouble("2.5e3")+" "+Integer.MAX_VALUE+" "+Character.isDigit('5')+" "+Character.isLetter('x'));
    try { Integer.parseInt("x1"); } catch (NumberFormatException e) { System.out.println(e.getMessage()); }
    try { new ArrayList<Integer>().iterator().next(); } catch (NoSuchElementException e) { System.out.println("nse"); }
    try { List.of(1).add(2); } catch (UnsupportedOperationException e) { System.out.println("uoe "+e.getMessage()); }
    try { Object[] oa = new String[1]; oa[0]=1; } catch (ArrayStoreException e) { System.out.println(e.getMessage()); }
    try { String n=null; n.length(); } catch (NullPointerException e) { System.out.println("npe"); }
    try { System.out.println(1/(args.length)); } catch (ArithmeticException e) { System.out.println(e); }
    try { throw new Exception("a", new Error("b")); } catch (Exception e) { System.out.println(e.getCause().getMessage()); }
    BitSet bs=new BitSet(); bs.set(3); bs.set(70); System.out.println(bs+" "+bs.cardinality());
    Random rnd=new Random(42); System.out.println(rnd.nextInt(100)+" "+rnd.nextInt(100));
    System.out.println(Objects.hash(1,2,3)+" "+"hash".hashCode()+" "+List.of(1,2).hashCode()+" "+new int[0].length+" "+Boolean.hashCode(true)+" "+Double.hashCode(1.5));
    System.out.println(Math.pow(2,10)+" "+Math.abs(-3)+" "+Math.floor(-1.5)+" "+Math.round(2.5)+" "+Math.ceil(1.1)+" "+Math.hypot(3,4)+" "+Math.floorMod(-1,5)+" "+Math.sin(1));
    char c='x'; c+=1; System.out.println(c); int x=5; x<<=33; System.out.println(x); System.out.println((short)70000+" "+(0.1+0.2)+" "+100000*100000+" "+Long.MIN_VALUE/-1);
    java.math.BigInteger bi=java.math.BigInteger.ONE; for(int k=1;k<=25;k++) bi=bi.multiply(java.math.BigInteger.valueOf(k)); System.out.println(bi);
    System.out.println(new java.math.BigDecimal("1.10").add(new java.math.BigDecimal("2.205")));
    Thread.currentThread().getName();
    var text = """
      block
        text"""; System.out.println(text);
  }
}
