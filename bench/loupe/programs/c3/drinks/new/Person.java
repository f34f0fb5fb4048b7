package drinks;

/** Somebody of an age, with a card that says so. */
public class Person {
    private final int age;
    private int stamps;

    public Person(int age) {
        this.age = age;
    }

    public int age() {
        return age;
    }

    /** Shows the card, which gets a stamp if it is one for the young. */
    public int showCard() {
        if (age < 21) {
            stamps++;
        }
        return age;
    }

    public int stamps() {
        return stamps;
    }
}
