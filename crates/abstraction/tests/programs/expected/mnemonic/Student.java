// Abstraction of shop.Student, policy mnemonic, made by lapidary.
package shop;

import lapidary.Symbolic;

public class Student {
    public Student() {}

    public void addGrade(int grade) {}

    public int average() {
        if (Symbolic.randomChoice()) {
            return 0;
        }
        return Symbolic.newInt();
    }
}
