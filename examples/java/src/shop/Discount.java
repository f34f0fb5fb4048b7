package shop;

/** Takes something off an order. */
public abstract class Discount implements Step<Order, Money> {
    private final String reason;

    protected Discount(String reason) {
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }

    public static class Bulk extends Discount {
        private final int from;

        public Bulk(int from) {
            super("from " + from + " pieces");
            this.from = from;
        }

        @Override
        public Money run(Order order) {
            int pieces = order.lines().stream().mapToInt(line -> line.count).sum();
            return pieces < from ? Money.NOTHING : order.total().percent(10);
        }
    }

    public static class Clearance extends Discount {
        private final Category category;

        public Clearance(Category category) {
            super("all " + category.label());
            this.category = category;
        }

        @Override
        public Money run(Order order) {
            Money off = Money.NOTHING;
            for (Order.Line line : order.lines()) {
                off = line.category == category ? off.plus(line.total().percent(30)) : off;
            }
            return off;
        }
    }
}
