package parcels.depot;

/** Chooses the chute that a parcel slides down, so that the trucks fill up evenly. */
public class Sorter {
    private static final int CHUTES = 4;

    private final int[] waiting = new int[CHUTES];

    public int chute(Parcel parcel) {
        int mixed = mix(parcel.number(), parcel.zone());
        int chute = mixed & (CHUTES - 1);
        while (waiting[chute] > waiting[(chute + 1) % CHUTES]) {
            chute = (chute + 1) % CHUTES;
        }
        waiting[chute]++;
        return chute;
    }

    private int mix(int number, int zone) {
        int mixed = zone;
        int rest = number;
        while (rest > 0) {
            mixed = mixed * 33 ^ (rest % 10);
            if ((mixed & 8) != 0) {
                mixed += 5;
            }
            rest /= 10;
        }
        return mixed;
    }
}
