// A subclass of a class in a package that analyses exclude.
// weakness: no-excluded-superclasses
// loses: ExcludedSuperclass$Wide.<init>:()V ExcludedSuperclass$Wide.getWidth:()D
public class ExcludedSuperclass {
    public static void main(String[] arguments) {
        new Wide().getWidth();
    }
    static class Wide extends java.awt.geom.Rectangle2D.Double {
        @Override public double getWidth() { return 1; }
    }
}
