package parcels.label;

/** What is printed on a parcel: a number with a check digit at its end, and a zone. */
public class Label {
    private final int[] digits;
    private final int zone;

    public Label(int[] digits, int zone) {
        this.digits = digits.clone();
        this.zone = zone;
    }

    public int length() {
        return digits.length;
    }

    public int digit(int index) {
        return digits[index];
    }

    public int zone() {
        return zone;
    }
}
