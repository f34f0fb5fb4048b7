package shop;

import java.util.ArrayList;
import java.util.List;

/** What somebody buys: "name; category; count; price" for each line. */
public class Order {
    public static class Line {
        public final String name;
        public final Category category;
        public final int count;
        public final Money price;

        Line(String name, Category category, int count, Money price) {
            this.name = name;
            this.category = category;
            this.count = count;
            this.price = price;
        }

        public Money total() {
            return price.times(count);
        }
    }

    private final List<Line> lines = new ArrayList<>();

    public Order add(String text) {
        String[] parts = text.split(";");
        if (parts.length != 4) {
            throw new IllegalArgumentException("four parts: " + text);
        }
        Category category = Category.valueOf(parts[1].trim().toUpperCase());
        lines.add(new Line(parts[0].trim(), category, Integer.parseInt(parts[2].trim()), Money.parse(parts[3].trim())));
        return this;
    }

    public List<Line> lines() {
        return lines;
    }

    public Money total() {
        Money sum = Money.NOTHING;
        for (Line line : lines) {
            sum = sum.plus(line.total());
        }
        return sum;
    }
}
