// expects: sound
package records;

public class Main {
    record Point(int x, int y) {
        Point { if (x < 0) throw new IllegalArgumentException(); }
        static Point origin() { return new Point(0, 0); }
        int sum() { return x() + y(); }
    }

    public static void main(String[] args) { System.out.println(new Point(1, 2).sum() + Point.origin().toString()); }
}
