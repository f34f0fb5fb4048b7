package thermostat;

/** Holds 20 degrees by day and 16 at night; what was switched stays so for a degree and a half. */
public class Controller {
    private static final int SLACK = 15;

    private final Heater heater;
    private final int wanted;

    public Controller(Heater heater, boolean night) {
        this.heater = heater;
        this.wanted = night ? 160 : 200;
    }

    public void reading(int temperature) {
        int difference = temperature - wanted;
        if (heater.isOn() ? difference > SLACK : difference <= -SLACK) {
            heater.set(!heater.isOn());
        }
    }
}
