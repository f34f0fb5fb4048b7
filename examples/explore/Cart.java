package shop;

import java.util.List;

public class Cart {
    enum Level { NONE, GOLD }

    record Item(String name, int price) {
        Item {
            if (price < 0) throw new IllegalArgumentException("price");
        }
    }

    private final List<Item> items;
    private Level level;

    public Cart() {
        items = new java.util.ArrayList<>();
    }

    int total(int discount) {
        int total = 0;
        for (Item item : items) total += item.price();
        return level == Level.GOLD ? total / discount : total;
    }

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("go")) throw new IllegalStateException("started");
        System.out.println(args.length + " arguments");
    }
}
