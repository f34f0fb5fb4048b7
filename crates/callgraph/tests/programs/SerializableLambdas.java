// A lambda that is cast to two interfaces passes both casts.
// weakness: no-lambdas
// loses: SerializableLambdas.target:()V SerializableLambdas.lambda$main$344f8d9$1:()V
import java.io.Serializable;
public class SerializableLambdas {
    public static void main(String[] arguments) {
        Runnable task = (Runnable & Serializable) () -> target();
        task.run();
    }
    static void target() {}
}
