import java.lang.invoke.*;
import java.util.*;

/** Method handles. */
public class Handles {
    int base = 100; Handles() {} Handles(int base) { this.base = base; }
    static int twice(int x) { return 2 * x; } String add(String s, long n) { return s + (base + n); } static String join(Object... all) { return Arrays.toString(all); } static void shout(String s) { System.out.println(s + "!"); }
    static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    static void testFindStatic() throws Throwable { MethodHandle h = lookup().findStatic(Handles.class, "twice", MethodType.methodType(int.class, int.class)); System.out.println((int) h.invokeExact(21)); }
    static void testFindVirtual() throws Throwable { MethodHandle h = lookup().findVirtual(Handles.class, "add", MethodType.methodType(String.class, String.class, long.class)); System.out.println((String) h.invokeExact(new Handles(), "x", 5L)); }
    static void testVirtualDispatch() throws Throwable { MethodHandle h = lookup().findVirtual(Object.class, "toString", MethodType.methodType(String.class)); System.out.println((String) h.invokeExact((Object) 5) + (String) h.invokeExact((Object) "s")); }
    static void testInterfaceMethod() throws Throwable { MethodHandle h = lookup().findVirtual(List.class, "size", MethodType.methodType(int.class)); System.out.println((int) h.invoke(List.of(1, 2))); }
    static void testFindConstructor() throws Throwable { MethodHandle h = lookup().findConstructor(Handles.class, MethodType.methodType(void.class, int.class)); System.out.println(((Handles) h.invokeExact(7)).base); }
    static void testFields() throws Throwable { Handles o = new Handles(3); MethodHandle g = lookup().findGetter(Handles.class, "base", int.class), s = lookup().findSetter(Handles.class, "base", int.class); s.invokeExact(o, 9); System.out.println((int) g.invokeExact(o)); }
    static void testInvokeConverts() throws Throwable { MethodHandle h = lookup().findStatic(Handles.class, "twice", MethodType.methodType(int.class, int.class)); System.out.println((Object) h.invoke((Integer) 4) + "" + (long) h.invoke((short) 5)); }
    static void testVoidHandle() throws Throwable { MethodHandle h = lookup().findStatic(Handles.class, "shout", MethodType.methodType(void.class, String.class)); h.invokeExact("hey"); h.invoke("you"); }
    static void testWrongMethodType() throws Throwable { MethodHandle h = lookup().findStatic(Handles.class, "twice", MethodType.methodType(int.class, int.class)); h.invokeExact(1L); }
    static void testNoSuchMethod() throws Throwable { lookup().findStatic(Handles.class, "nothing", MethodType.methodType(void.class)); }
    static void testBindTo() throws Throwable { MethodHandle h = lookup().findVirtual(String.class, "concat", MethodType.methodType(String.class, String.class)).bindTo("a"); System.out.println((String) h.invokeExact("b")); }
    static void testInvokeWithArguments() throws Throwable { MethodHandle h = lookup().findStatic(Handles.class, "twice", MethodType.methodType(int.class, int.class)); System.out.println(h.invokeWithArguments(8)); }
    static void testHandleThrows() throws Throwable { MethodHandle h = lookup().findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class)); System.out.println((int) h.invokeExact("zz")); }
    static void testMethodTypes() { MethodType t = MethodType.methodType(String.class, int.class, long[].class); System.out.println(t + " " + t.parameterCount() + t.returnType() + t.toMethodDescriptorString() + t.equals(MethodType.methodType(String.class, int.class, long[].class)) + t.changeReturnType(void.class) + t.wrap() + t.parameterList()); }
    static void testHandleType() throws Throwable { System.out.println(lookup().findVirtual(String.class, "concat", MethodType.methodType(String.class, String.class)).type()); }
}
