package parcels.price;

/** What services cost on top. */
public class Surcharges {
    public int of(Service service, int base) {
        if (service == Service.EXPRESS) {
            return base / 2;
        } else if (service == Service.INSURED) {
            return 250;
        }
        return 0;
    }
}
