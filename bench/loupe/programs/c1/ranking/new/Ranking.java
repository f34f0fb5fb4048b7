package ranking;

import java.util.ArrayList;
import java.util.List;

/** Players by points; who has as many as another and came first stays before. */
public class Ranking {
    private final List<int[]> entries = new ArrayList<>();

    public void add(int player, int points) {
        int place = entries.size();
        while (place > 0 && entries.get(place - 1)[1] < points) {
            place--;
        }
        entries.add(place, new int[] {player, points});
    }

    public void pinTo(Board board) {
        int rank = 1;
        for (int[] entry : entries) {
            board.pin(rank++, entry[0], entry[1]);
        }
    }
}
