package shop;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What is printed about an order. */
public class Report {
    private final StringBuilder text = new StringBuilder();
    private final List<? extends Discount> discounts;

    public Report(List<? extends Discount> discounts) {
        this.discounts = discounts;
    }

    public String of(Order order) {
        for (Order.Line line : order.lines()) {
            text.append(line.count).append(" x ").append(line.name).append(": ").append(line.total()).append('\n');
        }
        for (Discount discount : discounts) {
            text.append(discount.reason()).append(": -").append(discount.run(order)).append('\n');
        }
        for (Map.Entry<Category, Money> tax : new Taxes().run(order).entrySet()) {
            text.append("tax on ").append(tax.getKey().label()).append(": ").append(tax.getValue()).append('\n');
        }
        Function<Order, String> total = Step.both(Order::total, Money::toString);
        return text.append("total: ").append(total.apply(order)).append('\n').toString();
    }
}
