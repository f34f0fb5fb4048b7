package shop;

import java.util.Arrays;

public class Main {
    public static void main(String[] arguments) {
        Order order = new Order().add("hammer; tools; 1; 19.90").add("bread; food; 12; 2.50");
        for (String line : arguments) {
            order.add(line);
        }
        Report report = new Report(Arrays.asList(new Discount.Bulk(10), new Discount.Clearance(Category.TOOLS)));
        System.out.print(report.of(order));
    }
}
