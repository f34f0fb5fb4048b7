// expects: sound
package thread_locals;

public class Main {
    static final ThreadLocal<String> NAME = ThreadLocal.withInitial(Main::initial);
    static String initial() { return "initial"; }

    public static void main(String[] args) { System.out.println(NAME.get()); }
}
