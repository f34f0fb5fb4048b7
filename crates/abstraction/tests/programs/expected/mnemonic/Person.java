// Abstraction of shop.Person, policy mnemonic, made by lapidary.
package shop;

import lapidary.Symbolic;

public class Person {
    public static final int ADULT = 18;
    private int age;
    protected String name;

    public Person(int age) {
        this.age = age;
        this.name = "nobody";
    }

    public int getAge() {
        return this.age;
    }

    public void setAge(int age) {
        this.age = age;
    }

    public void birthday() {
        this.age = Symbolic.newInt();
    }

    public boolean isAdult() {
        return Symbolic.newBoolean();
    }
}
