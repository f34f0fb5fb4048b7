import shop.Money;
import shop.Order;

/** The tests of a user who needs orders and their totals, and nothing else. */
public class ShopTest {
    public static void main(String[] arguments) {
        check(Money.parse("12.50").toString(), "12.50");
        check(Money.parse("3").toString(), "3.00");
        check(Money.parse("0.05").plus(Money.parse("1.95")).toString(), "2.00");
        Order order = new Order().add("hammer; tools; 1; 19.90").add("bread; food; 12; 2.50");
        check(order.total().toString(), "49.90");
        try {
            new Order().add("bread; food");
            throw new AssertionError("an order with two parts");
        } catch (IllegalArgumentException expected) {
            check(expected.getMessage(), "four parts: bread; food");
        }
        System.out.println("5 tests passed");
    }

    private static void check(String actual, String expected) {
        if (!actual.equals(expected)) {
            throw new AssertionError(actual + " instead of " + expected);
        }
    }
}
