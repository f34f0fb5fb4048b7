// expects: bug no-printed-objects (printed object)
package printed_object;

public class Main {
    static class Name {
        @Override public String toString() { return "printed"; }
    }

    public static void main(String[] args) { System.out.println(new Name()); }
}
