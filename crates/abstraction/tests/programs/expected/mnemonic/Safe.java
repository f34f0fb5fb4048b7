// Abstraction of shop.Safe, policy mnemonic, made by lapidary.
package shop;

import java.util.ArrayList;
import lapidary.Symbolic;

public class Safe {
    private final ArrayList<Alarm> alarms = new ArrayList<>();

    public Safe(int coins, int pin, Alarm alarm) {
        alarms.add(alarm);
        addCoins(coins);
    }

    public void addCoins(int coins) {}

    public int getCash(int code) {
        if (Symbolic.randomChoice()) {
            Symbolic.getPassedParameter(alarms).ring();
            return 0;
        }
        return Symbolic.newInt();
    }
}
