package parcels.depot;

import java.util.ArrayList;
import java.util.List;

/** Takes parcels until it is full. */
public class Truck {
    private static final int LOAD = 60_000;

    private final int chute;
    private final List<Parcel> parcels = new ArrayList<>();
    private int load;

    public Truck(int chute) {
        this.chute = chute;
    }

    public boolean take(Parcel parcel) {
        if (load + parcel.weight() > LOAD) {
            return false;
        }
        load += parcel.weight();
        parcels.add(parcel);
        return true;
    }

    public String describe() {
        StringBuilder text = new StringBuilder("truck " + chute + ":");
        for (Parcel parcel : parcels) {
            text.append(' ').append(parcel.weight()).append(" g");
        }
        return text.toString();
    }
}
