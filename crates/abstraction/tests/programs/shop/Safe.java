package shop;

import java.util.ArrayList;
import java.util.List;

public class Safe {
    private final List<Integer> cash = new ArrayList<>();
    private final Alarm alarm;
    private final int pin;

    public Safe(int coins, int pin, Alarm alarm) {
        this.alarm = alarm;
        this.pin = pin;
        addCoins(coins);
    }

    public void addCoins(int coins) {
        cash.add(coins);
    }

    public int getCash(int code) {
        if (code != pin) {
            alarm.ring();
            return 0;
        }
        int total = 0;
        for (int i = 0; i < cash.size(); i++) {
            total += cash.get(i);
        }
        return total;
    }
}
