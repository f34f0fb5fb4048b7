package parcels.depot;

/** Weighs in steps of ten grams, upwards. */
public class Scale {
    private static final int STEP = 10;
    private static final int HEAVIEST = 31_500;

    /** The weight in grams, or -1 if the scale cannot tell. */
    public int weigh(int grams) {
        if (grams <= 0 || grams > HEAVIEST) {
            return -1;
        }
        return (grams + STEP - 1) / STEP * STEP;
    }
}
