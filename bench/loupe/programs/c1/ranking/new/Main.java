package ranking;

/** Ranks points and pins the result to a board. */
public class Main {
    public static int run(int[] points) {
        if (points == null) {
            return -1;
        }
        Board board = new Board();
        Ranking ranking = new Ranking();
        for (int index = 0; index < points.length; index++) {
            ranking.add(index, points[index]);
        }
        ranking.pinTo(board);
        return board.checksum();
    }
}
