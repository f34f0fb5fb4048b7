package drinks;

/** Something to drink. */
public interface Drink {
    void drink();
}
