package shop;

/** An amount in cents. */
public final class Money implements Comparable<Money> {
    public static final Money NOTHING = new Money(0);

    private final long cents;

    public Money(long cents) {
        this.cents = cents;
    }

    /** Reads "12.50" or "12". */
    public static Money parse(String text) {
        int point = text.indexOf('.');
        if (point < 0) {
            return new Money(Long.parseLong(text) * 100);
        }
        String fraction = text.substring(point + 1);
        if (fraction.length() != 2) {
            throw new IllegalArgumentException("two digits after the point: " + text);
        }
        return new Money(Long.parseLong(text.substring(0, point)) * 100 + Long.parseLong(fraction));
    }

    public Money plus(Money other) {
        return new Money(cents + other.cents);
    }

    public Money times(int count) {
        return new Money(cents * count);
    }

    public Money percent(int share) {
        return new Money(Math.round(cents * share / 100.0));
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money && ((Money) other).cents == cents;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cents);
    }

    @Override
    public String toString() {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
