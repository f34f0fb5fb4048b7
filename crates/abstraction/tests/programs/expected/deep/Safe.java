// Abstraction of shop.Safe, policy deep, made by lapidary.
package shop;

import lapidary.Symbolic;

public class Safe {
    public Safe(int coins, int pin, Alarm alarm) {
        addCoins(coins);
    }

    public void addCoins(int coins) {}

    public int getCash(int code) {
        if (Symbolic.randomChoice()) {
            new Alarm().ring();
            return 0;
        }
        return Symbolic.newInt();
    }
}
