package ranking;

import java.util.ArrayList;
import java.util.List;

/** Players by points; who has as many as another and came first stays before. */
public class Ranking {
    private final List<int[]> entries = new ArrayList<>();

    public void add(int player, int points) {
        entries.add(new int[] {player, points});
    }

    public void pinTo(Board board) {
        sort();
        for (int index = 0; index < entries.size(); index++) {
            board.pin(index + 1, entries.get(index)[0], entries.get(index)[1]);
        }
    }

    private void sort() {
        for (int end = entries.size() - 1; end > 0; end--) {
            for (int index = 0; index < end; index++) {
                if (entries.get(index)[1] < entries.get(index + 1)[1]) {
                    int[] swapped = entries.get(index);
                    entries.set(index, entries.get(index + 1));
                    entries.set(index + 1, swapped);
                }
            }
        }
    }
}
