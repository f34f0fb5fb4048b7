// expects: sound
package priority_queue;

import java.util.*;

public class Main {
    static class Task implements Comparable<Task> {
        final int urgency;
        Task(int urgency) { this.urgency = urgency; }
        @Override public int compareTo(Task other) { return other.urgency - urgency; }
        int get() { return urgency; }
    }

    public static void main(String[] args) {
        PriorityQueue<Task> queue = new PriorityQueue<>();
        queue.add(new Task(1));
        queue.add(new Task(5));
        System.out.println(queue.poll().get());
    }
}
