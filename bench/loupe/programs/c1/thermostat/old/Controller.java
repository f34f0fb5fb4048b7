package thermostat;

/** Holds 20 degrees by day and 16 at night; what was switched stays so for a degree and a half. */
public class Controller {
    private final Heater heater;
    private final boolean night;

    public Controller(Heater heater, boolean night) {
        this.heater = heater;
        this.night = night;
    }

    public void reading(int temperature) {
        if (night) {
            if (heater.isOn() && temperature > 175) {
                heater.set(false);
            } else if (!heater.isOn() && temperature < 145) {
                heater.set(true);
            }
        } else if (heater.isOn() && temperature > 215) {
            heater.set(false);
        } else if (!heater.isOn() && temperature < 185) {
            heater.set(true);
        }
    }
}
