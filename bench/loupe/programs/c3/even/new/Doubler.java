package even;

/** Twice as much. */
public class Doubler {
    public int twice(int number) {
        return 2 * number;
    }
}
