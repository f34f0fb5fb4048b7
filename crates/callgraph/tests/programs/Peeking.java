// An object comes back from the head of a queue.
// weakness: no-peeked-objects
// loses: Peeking.run:()V
import java.util.*;
public class Peeking {
    public static void main(String[] arguments) {
        Queue<Peeking> queue = new ArrayDeque<>();
        queue.add(new Peeking());
        queue.peek().run();
    }
    void run() {}
}
