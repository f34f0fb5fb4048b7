// expects: bug no-iterated-objects (iterator)
package iterator;

import java.util.*;

public class Main {
    static class Item {
        String name() { return "item"; }
    }

    public static void main(String[] args) {
        List<Item> items = new ArrayList<>();
        items.add(new Item());
        Iterator<Item> iterator = items.iterator();
        System.out.println(iterator.next().name());
    }
}
