package drinks;

/** Keeps money, coin by coin. */
public class Till {
    private static final int[] COINS = {200, 100, 50, 20, 10};

    private final int[] counts = new int[COINS.length];

    public void pay(int amount) {
        int rest = amount;
        for (int index = 0; index < COINS.length; index++) {
            while (rest >= COINS[index]) {
                counts[index]++;
                rest -= COINS[index];
            }
        }
    }

    public int sum() {
        int sum = 0;
        for (int index = 0; index < COINS.length; index++) {
            sum += counts[index] * COINS[index];
        }
        return sum;
    }
}
