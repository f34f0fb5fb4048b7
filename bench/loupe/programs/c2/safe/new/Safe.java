package vault;

import java.util.ArrayList;
import java.util.List;

/** Coins behind a pin. */
public class Safe {
    private static final int DIGITS = 10_000;

    private final List<Integer> cash = new ArrayList<>();
    private final int pin;
    private final Alarm alarm;

    public Safe(int pin, Alarm alarm) {
        this.pin = pin;
        this.alarm = alarm;
    }

    public void addCoins(int coins) {
        cash.add(coins);
    }

    public int cash(int code) {
        if (code % DIGITS == pin) {
            return cash.stream().mapToInt(Integer::intValue).sum();
        }
        alarm.ring();
        return 0;
    }
}
