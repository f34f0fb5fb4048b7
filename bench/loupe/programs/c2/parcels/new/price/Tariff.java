package parcels.price;

/** Prices by weight and zone, read from a table. */
public class Tariff {
    /** The first weight of each class but the first. */
    private static final int[] LIMITS = {501, 1_001, 2_000, 5_001, 10_001};
    private static final int[] PRICES = {380, 480, 620, 890, 1_240, 1_890};
    private static final int[] ZONES = {0, 300, 900};

    private final Surcharges surcharges = new Surcharges();

    public int price(int weight, int zone, Service service) {
        int row = row(weight);
        int extra = ZONES[zone - 1];
        int base = PRICES[row] + (row == PRICES.length - 1 ? 2 * extra : extra);
        return base + surcharges.of(service, base);
    }

    /** The row of the table, found by halving. */
    private int row(int weight) {
        int low = 0;
        int high = LIMITS.length;
        while (low < high) {
            int middle = (low + high) / 2;
            if (weight < LIMITS[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
