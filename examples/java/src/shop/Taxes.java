package shop;

import java.util.EnumMap;
import java.util.Map;

/** The taxes in an order, by category. */
public class Taxes implements Step<Order, Map<Category, Money>> {
    @Override
    public Map<Category, Money> run(Order order) {
        Map<Category, Money> taxes = new EnumMap<>(Category.class);
        for (Order.Line line : order.lines()) {
            taxes.merge(line.category, line.total().percent(line.category.tax()), Money::plus);
        }
        return taxes;
    }
}
