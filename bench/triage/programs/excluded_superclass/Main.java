// expects: bug no-excluded-superclasses (excluded superclass)
package excluded_superclass;

public class Main {
    static class Frame extends java.awt.geom.Point2D.Double {
        String describe() { return "frame"; }
    }

    public static void main(String[] args) { System.out.println(new Frame().describe()); }
}
