package bank;

/** Money under a name. */
public class Account {
    private final String name;
    private int money;
    private boolean open = true;

    public Account(String name, int money) {
        this.name = name;
        this.money = money;
    }

    public void close() {
        open = false;
    }

    public boolean isOpen() {
        return open;
    }

    public String name() {
        return name;
    }

    public int money() {
        return money;
    }

    /** Takes money out; whoever takes too much learns it by an exception. */
    public void take(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("nothing to take");
        }
        if (amount > money) {
            throw new IllegalStateException(name + " has too little");
        }
        money -= amount;
    }

    public void give(int amount) {
        if (!open) {
            throw new IllegalStateException(name + " is closed");
        }
        money += amount;
    }
}
