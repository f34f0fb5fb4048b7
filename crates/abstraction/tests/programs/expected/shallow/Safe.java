// Abstraction of shop.Safe, policy shallow, made by lapidary.
package shop;

import lapidary.Symbolic;

public class Safe {
    public Safe(int coins, int pin, Alarm alarm) {}

    public void addCoins(int coins) {}

    public int getCash(int code) {
        return Symbolic.newInt();
    }
}
