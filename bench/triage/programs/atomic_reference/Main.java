// expects: bug no-unsafe-access (direct call)
package atomic_reference;

import java.util.concurrent.atomic.*;

public class Main {
    static class Held {
        String text() { return "held"; }
    }

    public static void main(String[] args) {
        AtomicReference<Held> reference = new AtomicReference<>();
        reference.compareAndSet(null, new Held());
        System.out.println(reference.getAndSet(null).text());
    }
}
