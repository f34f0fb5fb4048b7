package drinks;

/** Sells beer. */
public class Vendor {
    private static final int PRICE = 380;

    private final Till till;

    public Vendor(Till till) {
        this.till = till;
    }

    public Drink sell(Person person) {
        till.pay(PRICE);
        return new Beer();
    }
}
