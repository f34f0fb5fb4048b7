package bank;

/** Some transfers between two accounts. */
public class Main {
    public static int run(int left, int right, boolean closed, int[] amounts) {
        if (amounts == null || left < 0 || right < 0) {
            return -1;
        }
        Journal journal = new Journal();
        Account from = new Account("left", left);
        Account to = new Account("right", right);
        if (closed) {
            to.close();
        }
        Clerk clerk = new Clerk(journal);
        for (int amount : amounts) {
            clerk.transfer(from, to, amount);
        }
        journal.print();
        return from.money();
    }
}
