// expects: sound
package anonymous_classes;

public class Main {
    public static void main(String[] args) {
        Object named = new Object() { @Override public String toString() { return helper(); } String helper() { return "x"; } };
        System.out.println(named.toString().length());
    }
}
