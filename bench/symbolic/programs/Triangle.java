/** The classic: which kind of triangle has these sides? */
public class Triangle {
    static String kind(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return "none";
        }
        if (a + b <= c || b + c <= a || a + c <= b) {
            return "none";
        }
        if (a == b && b == c) {
            return "equilateral";
        }
        if (a == b || b == c || a == c) {
            return "isosceles";
        }
        return a * a + b * b == c * c ? "right" : "scalene";
    }
}
