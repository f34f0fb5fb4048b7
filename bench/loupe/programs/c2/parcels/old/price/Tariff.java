package parcels.price;

/** Prices by weight and zone. */
public class Tariff {
    private final Surcharges surcharges = new Surcharges();

    public int price(int weight, int zone, Service service) {
        int base;
        if (weight <= 500) {
            base = 380;
        } else if (weight <= 1_000) {
            base = 480;
        } else if (weight <= 2_000) {
            base = 620;
        } else if (weight <= 5_000) {
            base = 890;
        } else if (weight <= 10_000) {
            base = 1_240;
        } else {
            base = 1_890;
        }
        base += zoneExtra(weight, zone);
        return base + surcharges.of(service, base);
    }

    private int zoneExtra(int weight, int zone) {
        switch (zone) {
            case 1:
                return 0;
            case 2:
                return weight > 10_000 ? 600 : 300;
            default:
                return weight > 10_000 ? 1_800 : 900;
        }
    }
}
