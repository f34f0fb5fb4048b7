package ranking;

/** Shows who is where. */
public class Board {
    private int checksum = 1;
    private int last = Integer.MAX_VALUE;

    public void pin(int rank, int player, int points) {
        if (points > last) {
            throw new IllegalStateException("not in order");
        }
        last = points;
        checksum = checksum * 31 + rank * 7 + player;
        System.out.println(rank + ". player " + player);
    }

    public int checksum() {
        return checksum;
    }
}
