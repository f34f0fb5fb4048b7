// expects: sound
package string_switch;

public class Main {
    public static void main(String[] args) {
        for (String word : new String[] { "one", "two" }) {
            switch (word) { case "one": one(); break; case "two": two(); break; default: other(); }
        }
    }

    static void one() { }
    static void two() { }
    static void other() { }
}
