// An object goes through atomic variables, which write it through handles and offsets.
// needs: the whole library
// weakness: no-unsafe-access
// loses: Atomics.run:()V
import java.util.concurrent.atomic.*;
public class Atomics {
    volatile Object field;
    public static void main(String[] arguments) {
        AtomicReference<Atomics> reference = new AtomicReference<>();
        reference.compareAndSet(null, new Atomics());
        reference.get().run();
    }
    void run() {}
}
