package vault;

import java.util.ArrayList;
import java.util.List;

/** Coins behind a pin. */
public class Safe {
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
        if (code != pin) {
            alarm.ring();
            return 0;
        }
        int total = 0;
        for (int index = 0; index < cash.size(); index++) {
            total += cash.get(index);
        }
        return total;
    }
}
