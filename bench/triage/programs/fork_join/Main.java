// expects: sound
package fork_join;

import java.util.concurrent.*;

public class Main {
    static class Sum extends RecursiveTask<Integer> {
        final int from, to;
        Sum(int from, int to) { this.from = from; this.to = to; }
        @Override protected Integer compute() {
            if (to - from < 10) return from;
            Sum left = new Sum(from, (from + to) / 2);
            left.fork();
            return new Sum((from + to) / 2, to).compute() + left.join();
        }
    }

    public static void main(String[] args) { System.out.println(ForkJoinPool.commonPool().invoke(new Sum(0, 100))); }
}
