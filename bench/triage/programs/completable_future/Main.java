// expects: sound
package completable_future;

import java.util.concurrent.*;

public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(CompletableFuture.supplyAsync(Main::first).thenApply(Main::second).get());
    }

    static String first() { return "first"; }
    static String second(String text) { return text + " second"; }
}
