// Abstraction of shop.DoubleValue, policy shallow, made by lapidary.
package shop;

import lapidary.Symbolic;

public class DoubleValue {
    public DoubleValue() {}

    public int doubleValue(int entry) {
        return Symbolic.newInt();
    }
}
