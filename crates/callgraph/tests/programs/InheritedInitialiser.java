// The superclass is initialised although the class has nothing to initialise.
// weakness: no-inherited-initialisers
// loses: InheritedInitialiserAbove.<clinit>:()V InheritedInitialiserAbove.value:()I
public class InheritedInitialiser extends InheritedInitialiserAbove {
    public static void main(String[] arguments) {}
}
class InheritedInitialiserAbove {
    static int field = value();
    static int value() { return 1; }
}
