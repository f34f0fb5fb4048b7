package vault;

/** Counts how often somebody tried a wrong code. */
public class Alarm {
    private int count;

    public void ring() {
        count++;
    }

    public int count() {
        return count;
    }
}
