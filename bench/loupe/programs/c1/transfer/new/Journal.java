package bank;

import java.util.ArrayList;
import java.util.List;

/** What was done, in order. */
public class Journal {
    private final List<String> lines = new ArrayList<>();

    public void add(String line) {
        lines.add(line);
    }

    public void print() {
        for (String line : lines) {
            System.out.println(line);
        }
    }
}
