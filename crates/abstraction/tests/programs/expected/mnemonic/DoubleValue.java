// Abstraction of shop.DoubleValue, policy mnemonic, made by lapidary.
package shop;

import lapidary.Symbolic;

public class DoubleValue {
    public DoubleValue() {}

    public int doubleValue(int entry) {
        return Symbolic.newInt();
    }
}
