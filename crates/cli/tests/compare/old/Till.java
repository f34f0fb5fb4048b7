package shop;

public class Till {
    public static int twice(int number) {
        return number * 2;
    }

    public static int sum(int[] numbers) {
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    public static boolean isMore(int one, int other) {
        return one - other > 0;
    }

    public static int postage(int grams) {
        return grams > 2000 ? 9 : 5;
    }

    public static int halvings(int n) {
        int halvings = 0;
        while (n > 1) {
            n = n / 2;
            halvings++;
        }
        return halvings;
    }

    public static int endless(int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) {
            sum += i;
        }
        return sum;
    }

    public static int count(int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) {
            sum += i * 2;
        }
        return sum;
    }

    public static int parse(String text) {
        return text.isEmpty() ? 0 : text.charAt(0);
    }

    public static void reset(int[] numbers) {
        numbers[0] = 0;
    }

    public static int gone(int number) {
        return number;
    }

    public static int typed(int number) {
        return number;
    }
}

/** Does not differ itself, but creates objects that do. */
class Shop {
    public static void sell(int price, boolean member) {
        new Receipt(new Account()).print(price, member);
    }

    public static void greet(int hour) {
        new Receipt(new Account()).greet(hour);
    }

    public static void refund(int kind, int price) {
        new Refund(kind, new Account()).pay(price);
    }
}

class Account {
    private int points;
    private int visits;

    void add(int earned) {
        points += earned;
    }

    void visit() {
        visits++;
    }

    int asked() {
        visits++;
        return points;
    }

    boolean isNew() {
        return visits == 0;
    }
}

class Receipt {
    private final Account account;

    Receipt(Account account) {
        this.account = account;
    }

    void print(int price, boolean member) {
        if (member) {
            account.add(price / 100);
        }
    }

    void greet(int hour) {
        System.out.println("Good day.");
        account.visit();
    }
}

class Refund {
    private final int kind;
    private final Account account;

    Refund(int kind, Account account) {
        this.kind = kind;
        this.account = account;
    }

    void pay(int price) {
        account.add(-price);
    }
}
