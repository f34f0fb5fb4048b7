package shop;

/** Opens for one number only, which random inputs do not find. */
public class Lock {
    static int open(int number) {
        if (number * 31 + 7 == 123456789) throw new IllegalStateException("open");
        return 0;
    }
}
