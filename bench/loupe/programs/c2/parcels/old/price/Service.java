package parcels.price;

/** How fast, and how safe. */
public enum Service {
    NORMAL,
    INSURED,
    EXPRESS
}
