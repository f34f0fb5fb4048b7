package drinks;

/** For everybody. */
public class Lemonade implements Drink {
    @Override
    public void drink() {
        System.out.println("drink: cool and sweet");
    }
}
