package bank;

/** Moves money if both accounts allow it. */
public class Clerk {
    private final Journal journal;

    public Clerk(Journal journal) {
        this.journal = journal;
    }

    public void transfer(Account from, Account to, int amount) {
        try {
            from.take(amount);
            to.give(amount);
            journal.add("moved " + amount);
        } catch (IllegalArgumentException | IllegalStateException refusal) {
            journal.add("refused");
        }
    }
}
