// expects: sound
package timers;

import java.util.*;
import java.util.concurrent.*;

public class Main {
    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer();
        timer.schedule(new TimerTask() { @Override public void run() { tick(); done.countDown(); } }, 1);
        done.await();
        timer.cancel();
    }

    static void tick() { System.out.println("tick"); }
}
