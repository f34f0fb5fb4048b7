// expects: bug no-method-references (method reference)
package method_reference;

public class Main {
    public static void main(String[] args) {
        Runnable runnable = Main::referenced;
        runnable.run();
    }

    static void referenced() { System.out.println("referenced"); }
}
