// expects: sound
package formatting;

import java.util.*;

public class Main {
    static class Money implements Formattable {
        @Override public void formatTo(Formatter formatter, int flags, int width, int precision) {
            formatter.format("%d coins", amount());
        }
        int amount() { return 3; }
    }

    public static void main(String[] args) { System.out.println(String.format("%s", new Money())); }
}
