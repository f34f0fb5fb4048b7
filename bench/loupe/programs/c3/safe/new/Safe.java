package vault;

/** Coins behind a pin. */
public class Safe {
    private final int pin;
    private final Alarm alarm;
    private int total;

    public Safe(int pin, Alarm alarm) {
        this.pin = pin;
        this.alarm = alarm;
    }

    public void addCoins(int coins) {
        total += coins;
    }

    public int cash(int code) {
        boolean opens = code == pin;
        if (!opens) {
            alarm.ring();
        }
        return opens ? total : 0;
    }
}
