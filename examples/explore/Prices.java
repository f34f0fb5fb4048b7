// Small methods to explore: prices, grades, and a check that one input fails.
package shop;
public class Prices {
    static int share(int total, int people) {
        return total / people;
    }
    static String grade(int points) {
        if (points < 50) return "low";
        return points < 90 ? "good" : "best";
    }
    static void check(byte[] code) {
        assert code == null || code.length < 2 || code[0] + code[1] != 42 : "the secret";
    }
    static int many(int a) { return a; }
    static int many(long a) { return 1; }
    static int rank(int points) {
        int rank = points < 50 ? 3 : points < 90 ? 2 : 1;
        if (rank > 7)
            rank = 0;
        return rank;
    }
    static int started(Thread thread) { return 0; }
}
