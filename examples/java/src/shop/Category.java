package shop;

/** What a product is, and how it is taxed. */
public enum Category {
    FOOD(7),
    BOOKS(7),
    TOOLS(19) {
        @Override
        public String label() {
            return "tools and hardware";
        }
    };

    private final int tax;

    Category(int tax) {
        this.tax = tax;
    }

    public int tax() {
        return tax;
    }

    public String label() {
        return name().toLowerCase();
    }
}
