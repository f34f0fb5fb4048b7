package shop;

public final class Till {
    public static void sell(int price, boolean member) {
        Account account = new Account();
        new Receipt(account).print(price, member);
    }
}

final class Account {
    private int points;

    void add(int earned) {
        points += earned;
    }
}

final class Receipt {
    private final Account account;

    Receipt(Account account) {
        this.account = account;
    }

    void print(int price, boolean member) {
        System.out.println("Thank you.");
        if (member) {
            account.add(price / 100);
        }
    }
}
