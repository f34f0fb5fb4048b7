// expects: sound
package abstract_lists;

import java.util.*;

public class Main {
    static class Squares extends AbstractList<Integer> {
        @Override public Integer get(int index) { return index * index; }
        @Override public int size() { return 4; }
    }

    public static void main(String[] args) { System.out.println(new Squares().indexOf(9) + Collections.max(new Squares())); }
}
