// A clone has the class of the original.
// weakness: no-clones
// loses: Clones.run:()V
public class Clones implements Cloneable {
    public static void main(String[] arguments) throws CloneNotSupportedException {
        Clones[] array = { new Clones() };
        array.clone()[0].run();
        ((Clones) new Clones().clone()).run();
    }
    void run() {}
}
