package parcels;

import parcels.depot.Depot;
import parcels.label.Label;
import parcels.price.Service;

/** One parcel on its way through the depot. */
public class Main {
    public static int run(int[] digits, int weight, int zone, int service) {
        if (digits == null || service < 0 || service >= Service.values().length) {
            return -1;
        }
        Depot depot = new Depot();
        depot.accept(new Label(digits, zone), weight, Service.values()[service]);
        depot.close();
        return depot.invoice().total();
    }
}
