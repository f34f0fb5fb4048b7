package drinks;

/** For adults. */
public class Beer implements Drink {
    @Override
    public void drink() {
        System.out.println("drink: cool and bitter");
    }
}
