package drinks;

/** Sells beer to adults and lemonade to others. */
public class Vendor {
    private static final int PRICE = 380;

    private final Till till;

    public Vendor(Till till) {
        this.till = till;
    }

    public Drink sell(Person person) {
        till.pay(PRICE);
        if (person.age() >= 18) {
            return new Beer();
        }
        return new Lemonade();
    }
}
