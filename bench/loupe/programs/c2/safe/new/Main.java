package vault;

/** Fills a safe and tries to open it with one code. */
public class Main {
    private final Alarm alarm = new Alarm();
    private final Keypad keypad = new Keypad();

    public static int run(String phrase, int[] coins, int code) {
        if (phrase == null || coins == null || code < 0) {
            return -1;
        }
        return new Main().open(phrase, coins, code);
    }

    private int open(String phrase, int[] coins, int code) {
        Safe safe = new Safe(keypad.pin(phrase), alarm);
        for (int coin : coins) {
            if (coin > 0) {
                safe.addCoins(coin);
            }
        }
        int cash = safe.cash(code);
        System.out.println("alarm rang " + alarm.count() + " times");
        return cash;
    }
}
