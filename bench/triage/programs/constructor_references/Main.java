// expects: sound
package constructor_references;

import java.util.function.*;

public class Main {
    static class Named {
        final String name;
        Named(String name) { this.name = name; }
        Named() { this("default"); }
        String get() { return name; }
    }

    public static void main(String[] args) {
        Function<String, Named> one = Named::new;
        Supplier<Named> none = Named::new;
        System.out.println(one.apply("given").get() + none.get().get());
    }
}
