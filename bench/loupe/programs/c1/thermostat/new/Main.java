package thermostat;

/** Two readings of a thermometer, in tenths of a degree. */
public class Main {
    public static int run(boolean night, int first, int second) {
        if (first < -400 || first > 600 || second < -400 || second > 600) {
            return -1;
        }
        Heater heater = new Heater();
        Controller controller = new Controller(heater, night);
        controller.reading(first);
        controller.reading(second);
        return heater.switched();
    }
}
