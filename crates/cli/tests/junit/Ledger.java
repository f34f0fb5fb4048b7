package shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Methods whose inputs and outcomes are hard to write down as Java source. */
public class Ledger {
    private static int calls;
    private final List<Entry> entries = new ArrayList<>();
    private Hidden hidden;
    private Secret secret;

    enum Level { LOW, HIGH }

    private enum Hidden { A, B }

    record Entry(String name, long cents) {
        Entry {
            if (cents < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    private static final class Secret {
        private final int key;
        private Secret next;

        private Secret(int key) {
            this.key = key;
        }
    }

    private static class Unnamed extends RuntimeException {
        Unnamed(String message) {
            super(message);
        }
    }

    static int numbers(byte b, short s, char c, long l) {
        if (b == -128 && s == -7) {
            return Integer.MIN_VALUE;
        }
        if (c == '\'' || c == '\ud800') {
            return c;
        }
        return l == Long.MIN_VALUE ? 1 : 0;
    }

    static double floats(float f, double d) {
        if (Float.floatToRawIntBits(f) == 0x7fc00000) {
            return Double.NaN;
        }
        if (Double.doubleToRawLongBits(d) == Long.MIN_VALUE) {
            return -0.0;
        }
        return d == Double.POSITIVE_INFINITY ? Double.NEGATIVE_INFINITY : f == 0.1f ? 0.1 : 1e-320;
    }

    static String texts(String one, String other) {
        if (one == other) {
            return one == null ? null : "the same \ud83d\ude00 \\u0041\r\n\0";
        }
        if (one == "a") {
            return "interned";
        }
        if (one != null && one.equals("a")) {
            return "\udc00 alone";
        }
        if (one != null && one.length() == 1 && one.charAt(0) == 0) {
            throw new IllegalStateException("\"null\"\n" + one.length());
        }
        return "\"" + other;
    }

    static int arrays(int[] one, int[] other, String[] words) {
        if (one == null || other == null) {
            throw new NullPointerException();
        }
        if (one.length > 0 && one == other) {
            one[0] = 7;
            return 1;
        }
        return words[0] == null ? 2 : 3;
    }

    static byte[] bytes(boolean[] flags, char letter) {
        return flags != null && flags.length == 1 && flags[0] && letter > 'a' ? new byte[] {-1, (byte) letter} : null;
    }

    Object add(Entry entry, Level level) {
        if (secret != null && secret.next == secret) {
            return Hidden.B;
        }
        if (secret != null && secret.key == 5) {
            secret = new Secret(secret.key + 1);
        }
        if (hidden == Hidden.A) {
            throw new Unnamed("hidden " + level);
        }
        if (entry != null && entry.cents > 100) {
            return List.of(entry.name == null ? Map.of() : 1, level == Level.HIGH ? 'x' : 2.5f);
        }
        return this.entries == null ? entry : 5L;
    }

    private static int counted(Secret secret, int n) {
        calls++;
        if (n == calls) {
            System.out.println("first \"call\"");
            System.err.print("\t\\");
        }
        return secret == null ? calls : secret.key;
    }

    static <T extends Comparable<T>> T most(List<T> list, Integer number) {
        if (number != null && number == 3) {
            list.clear();
        }
        return list.isEmpty() ? null : list.get(0);
    }

    static int over(Object object) {
        return 1;
    }

    static int over(String text) {
        return text == null ? 2 : 3;
    }

    static int over(long number) {
        if (number == 4) {
            System.exit(1);
        }
        assert number != 5 : "five";
        return 4;
    }
}
