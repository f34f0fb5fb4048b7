// expects: bug no-inherited-initialisers (inherited class initialiser)
package inherited_initialiser;

public class Main {
    static class Above {
        static { System.out.println("initialised"); }
    }

    static class Below extends Above { }

    public static void main(String[] args) { new Below(); }
}
