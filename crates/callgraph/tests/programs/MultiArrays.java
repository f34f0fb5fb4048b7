// An object goes through an array of arrays.
// weakness: no-multi-arrays
// loses: MultiArrays$Element.run:()V
public class MultiArrays {
    public static void main(String[] arguments) {
        Element[][] elements = new Element[2][2];
        elements[1][1] = new Element();
        Element[][] others = { { elements[1][1] } };
        others[0][0].run();
    }
    static class Above { void run() {} }
    static class Element extends Above { @Override void run() {} }
}
