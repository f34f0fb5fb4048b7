// expects: sound
package enum_bodies;

public class Main {
    enum Operator {
        PLUS { @Override int apply(int a, int b) { return a + b; } },
        TIMES { @Override int apply(int a, int b) { return a * b; } };
        abstract int apply(int a, int b);
    }

    public static void main(String[] args) {
        int sum = 0;
        for (Operator operator : Operator.values()) sum += operator.apply(2, 3);
        System.out.println(sum + Operator.valueOf("PLUS").ordinal());
    }
}
