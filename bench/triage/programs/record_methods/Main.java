// expects: bug no-record-methods (record)
package record_methods;

public class Main {
    static class Inner {
        @Override public int hashCode() { return 42; }
        @Override public boolean equals(Object other) { return other instanceof Inner; }
    }

    record Box(Inner inner) { }

    public static void main(String[] args) { System.out.println(new Box(new Inner()).hashCode() != 0); }
}
