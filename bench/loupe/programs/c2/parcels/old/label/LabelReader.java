package parcels.label;

/** Reads labels and refuses those that were smudged. */
public class LabelReader {
    private static final int SHORTEST = 4;

    private int refused;

    /** The number without its check digit, or -1 if the label cannot be right. */
    public int read(Label label) {
        if (label.length() < SHORTEST || !digitsOnly(label)) {
            refused++;
            return -1;
        }
        int last = label.length() - 1;
        if (checkDigit(label, last) != label.digit(last)) {
            refused++;
            return -1;
        }
        int number = 0;
        for (int index = 0; index < last; index++) {
            number = number * 10 + label.digit(index);
        }
        return number;
    }

    public int refused() {
        return refused;
    }

    private boolean digitsOnly(Label label) {
        for (int index = 0; index < label.length(); index++) {
            if (label.digit(index) < 0 || label.digit(index) > 9) {
                return false;
            }
        }
        return true;
    }

    /** Every second digit counts twice, and a sum of two digits counts as their sum. */
    private int checkDigit(Label label, int count) {
        int sum = 0;
        for (int index = 0; index < count; index++) {
            int digit = label.digit(index);
            if (index % 2 == 0) {
                digit *= 2;
                if (digit > 9) {
                    digit -= 9;
                }
            }
            sum += digit;
        }
        return (10 - sum % 10) % 10;
    }
}
