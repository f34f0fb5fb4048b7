import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Orders, stock and deliveries, written with records, streams and lambdas. */
public class Warehouse {
    record Item(String name, int price, int weight) {
        Item {
            if (price < 0 || weight <= 0) {
                throw new IllegalArgumentException(name);
            }
        }
    }

    record Order(int number, Item item, int count, Priority priority) {
        int total() {
            return Math.multiplyExact(item.price(), count);
        }
    }

    enum Priority {
        NORMAL(0), FAST(5), EXPRESS(20);

        final int surcharge;

        Priority(int surcharge) {
            this.surcharge = surcharge;
        }
    }

    sealed interface Delivery permits Parcel, Pallet, Letter {}

    record Parcel(int weight) implements Delivery {}

    record Pallet(int weight, int floors) implements Delivery {}

    record Letter() implements Delivery {}

    static final List<Item> CATALOGUE =
        List.of(new Item("nail", 1, 1), new Item("hammer", 15, 40), new Item("anvil", 200, 900), new Item("ladder", 80, 150));

    private final Map<String, Integer> stock = new HashMap<>();
    private final TreeMap<Integer, Order> orders = new TreeMap<>();
    private final PriorityQueue<Order> queue =
        new PriorityQueue<>(Comparator.comparing(Order::priority).reversed().thenComparing(Order::number));
    private int nextNumber = 1;

    Warehouse() {
        CATALOGUE.forEach(item -> stock.put(item.name(), 10));
    }

    Optional<Item> find(Predicate<Item> wanted) {
        return CATALOGUE.stream().filter(wanted).min(Comparator.comparingInt(Item::price));
    }

    int order(int item, int count, int priority) {
        if (item < 0 || item >= CATALOGUE.size()) {
            throw new IllegalArgumentException("no such item");
        }
        Item wanted = CATALOGUE.get(item);
        if (count <= 0 || count > stock.get(wanted.name())) {
            return -1;
        }
        stock.merge(wanted.name(), -count, Integer::sum);
        Order order = new Order(nextNumber++, wanted, count, Priority.values()[priority]);
        orders.put(order.number(), order);
        queue.add(order);
        return order.total() + order.priority().surcharge;
    }

    static Delivery deliver(Order order) {
        int weight = order.item().weight() * order.count();
        if (weight < 20) {
            return new Letter();
        }
        return weight < 500 ? new Parcel(weight) : new Pallet(weight, weight / 1000);
    }

    static int cost(Delivery delivery) {
        if (delivery instanceof Letter) {
            return 1;
        } else if (delivery instanceof Parcel parcel) {
            return 5 + parcel.weight() / 10;
        } else if (delivery instanceof Pallet pallet) {
            return 100 / pallet.floors();
        }
        throw new IllegalStateException();
    }

    Map<Priority, Integer> totals() {
        return orders.values().stream().collect(Collectors.groupingBy(Order::priority, Collectors.summingInt(Order::total)));
    }

    String summary() {
        return Stream.of(Priority.values()).map(priority -> priority + "=" + totals().getOrDefault(priority, 0))
            .collect(Collectors.joining(", "));
    }

    static String simulate(int firstItem, int firstCount, int secondItem, int secondCount, int budget) {
        Warehouse warehouse = new Warehouse();
        int spent = 0;
        int[][] wishes = {{firstItem, firstCount, 0}, {secondItem, secondCount, 2}};
        for (int[] wish : wishes) {
            int price = warehouse.order(wish[0], wish[1], wish[2]);
            if (price > 0) {
                spent += price;
            }
            if (spent > budget) {
                return "too expensive";
            }
        }
        int delivery = 0;
        while (!warehouse.queue.isEmpty()) {
            delivery += cost(deliver(warehouse.queue.poll()));
        }
        String cheapest = warehouse.find(item -> item.price() > budget).map(Item::name).orElse("nothing");
        return warehouse.summary() + ", delivery " + delivery + ", next " + cheapest;
    }
}
