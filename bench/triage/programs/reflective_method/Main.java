// expects: feature (Method.invoke)
package reflective_method;

public class Main {
    public static void main(String[] args) throws Exception {
        Main.class.getMethod("target").invoke(null);
    }

    public static void target() { System.out.println("reached"); }

    public static void never() { }
}
