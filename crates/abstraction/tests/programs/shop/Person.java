package shop;

public class Person {
    public static final int ADULT = 18;
    private int age;
    protected String name;

    public Person(int age) {
        this.age = age;
        this.name = "nobody";
    }

    public int getAge() {
        return age;
    }

    public void setAge(int age) {
        this.age = age;
    }

    public void birthday() {
        age++;
    }

    public boolean isAdult() {
        return age >= ADULT;
    }
}
