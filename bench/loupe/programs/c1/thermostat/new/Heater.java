package thermostat;

/** Is on or off, and wears out a bit with each switch. */
public class Heater {
    private boolean on;
    private int switched;

    public void set(boolean wanted) {
        if (on != wanted) {
            on = wanted;
            switched++;
        }
    }

    public boolean isOn() {
        return on;
    }

    public int switched() {
        return switched;
    }
}
