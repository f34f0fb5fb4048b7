// expects: sound
package capturing_lambdas;

public class Main {
    interface Step { int go(int value); }

    public static void main(String[] args) {
        int base = 10;
        Step add = value -> value + base;
        Step twice = value -> add.go(add.go(value));
        System.out.println(compose(add, twice).go(1));
    }

    static Step compose(Step first, Step second) { return value -> second.go(first.go(value)); }
}
