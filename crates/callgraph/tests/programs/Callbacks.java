// The library calls an object that it was given.
// needs: the whole library
// weakness: no-library-callbacks
// loses: Callbacks.compare:(Ljava/lang/Object;Ljava/lang/Object;)I Callbacks$Key.hashCode:()I
import java.util.*;
public class Callbacks implements Comparator<Object> {
    public static void main(String[] arguments) {
        Arrays.sort(new Object[] { 2, 1 }, new Callbacks());
        new HashMap<Object, Object>().put(new Key(), null);
    }
    public int compare(Object left, Object right) { return 0; }
    static class Key { @Override public int hashCode() { return 1; } }
}
