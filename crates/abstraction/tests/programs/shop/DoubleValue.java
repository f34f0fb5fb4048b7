package shop;

public class DoubleValue {
    public int doubleValue(int entry) {
        return 2 * entry;
    }
}
