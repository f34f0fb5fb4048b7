// An object comes back from a collection.
// weakness: no-iterated-objects
// loses: Iterating.run:()V
import java.util.*;
public class Iterating {
    public static void main(String[] arguments) {
        List<Iterating> list = new ArrayList<>();
        list.add(new Iterating());
        for (Iterating each : list) each.run();
    }
    void run() {}
}
