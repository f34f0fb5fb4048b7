// expects: sound
package optionals;

import java.util.*;

public class Main {
    public static void main(String[] args) {
        Optional<String> name = Optional.of("lapidary");
        System.out.println(name.map(Main::shout).filter(text -> text.length() > 2).orElseGet(Main::none));
        System.out.println(Optional.empty().or(() -> Optional.of(none())).get());
    }

    static String shout(String text) { return text.toUpperCase(); }
    static String none() { return "none"; }
}
