// expects: bug no-peeked-objects (queue)
package queue_peek;

import java.util.*;

public class Main {
    static class Job {
        String title() { return "job"; }
    }

    public static void main(String[] args) {
        Queue<Job> queue = new ArrayDeque<>();
        queue.add(new Job());
        System.out.println(queue.peek().title());
    }
}
