package parcels.depot;

import parcels.price.Service;

/** A parcel that was accepted. */
public class Parcel {
    private final int number;
    private final int weight;
    private final int zone;
    private final Service service;

    public Parcel(int number, int weight, int zone, Service service) {
        this.number = number;
        this.weight = weight;
        this.zone = zone;
        this.service = service;
    }

    public int number() {
        return number;
    }

    public int weight() {
        return weight;
    }

    public int zone() {
        return zone;
    }

    public Service service() {
        return service;
    }
}
