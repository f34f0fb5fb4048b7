// An action that runs with the rights of its class.
// needs: the whole library
// weakness: no-privileged-actions
// loses: Privileged.run:()Ljava/lang/Object;
import java.security.*;
public class Privileged implements PrivilegedAction<Object> {
    @SuppressWarnings("removal") public static void main(String[] arguments) {
        AccessController.doPrivileged(new Privileged());
    }
    public Object run() { return this; }
}
