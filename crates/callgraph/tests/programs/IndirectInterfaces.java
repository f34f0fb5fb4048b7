// The class implements an interface that extends the one that is called.
// weakness: no-indirect-interfaces
// loses: IndirectInterfaces$Lowest.notFound:()V
public class IndirectInterfaces {
    public static void main(String[] arguments) {
        Upper object = new Lowest();
        object.notFound();
    }
    static class Lowest implements Lower { public void notFound() {} }
    interface Upper { void notFound(); }
    interface Lower extends Upper {}
}
