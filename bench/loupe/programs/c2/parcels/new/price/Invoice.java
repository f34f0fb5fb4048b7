package parcels.price;

import java.util.ArrayList;
import java.util.List;

/** What the customer pays, in cents. */
public class Invoice {
    private static final int DISCOUNT_FROM = 5_000;

    private final List<Integer> numbers = new ArrayList<>();
    private final List<Integer> amounts = new ArrayList<>();

    public void add(int number, int amount) {
        numbers.add(number);
        amounts.add(amount);
    }

    public int total() {
        int total = 0;
        for (int amount : amounts) {
            total += amount;
        }
        return total < DISCOUNT_FROM ? total : total - total / 20;
    }

    public void print() {
        for (int index = 0; index < numbers.size(); index++) {
            System.out.println("parcel " + numbers.get(index) + ": " + amounts.get(index));
        }
    }
}
