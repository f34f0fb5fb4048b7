package parcels.depot;

import parcels.label.Label;
import parcels.label.LabelReader;
import parcels.price.Invoice;
import parcels.price.Service;
import parcels.price.Tariff;

/** Reads, weighs, prices and loads. */
public class Depot {
    private static final int FARTHEST_ZONE = 3;

    private final LabelReader reader = new LabelReader();
    private final Scale scale = new Scale();
    private final Sorter sorter = new Sorter();
    private final Tariff tariff = new Tariff();
    private final Invoice invoice = new Invoice();
    private final Truck[] trucks = new Truck[4];

    public void accept(Label label, int grams, Service service) {
        int number = reader.read(label);
        int weight = scale.weigh(grams);
        if (number < 0 || weight < 0) {
            return;
        }
        if (label.zone() < 1 || label.zone() > FARTHEST_ZONE) {
            return;
        }
        Parcel parcel = new Parcel(number, weight, label.zone(), service);
        load(parcel);
        invoice.add(number, tariff.price(parcel.weight(), parcel.zone(), parcel.service()));
    }

    public Invoice invoice() {
        return invoice;
    }

    public void close() {
        for (Truck truck : trucks) {
            if (truck != null) {
                System.out.println(truck.describe());
            }
        }
        System.out.println(reader.refused() + " labels refused");
        invoice.print();
    }

    private void load(Parcel parcel) {
        int chute = sorter.chute(parcel);
        if (trucks[chute] == null) {
            trucks[chute] = new Truck(chute);
        }
        if (!trucks[chute].take(parcel)) {
            trucks[chute] = new Truck(chute);
            trucks[chute].take(parcel);
        }
    }
}
