// expects: bug no-indirect-interfaces (indirect interface)
package indirect_interface;

public class Main {
    interface Upper { void notfound(); }
    interface Lower extends Upper { }

    static class Both implements Lower {
        @Override public void notfound() { System.out.println("found"); }
    }

    public static void main(String[] args) {
        Upper upper = new Both();
        upper.notfound();
    }
}
