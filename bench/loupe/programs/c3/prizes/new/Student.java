package prizes;

/** A student and the grade of this year. */
public class Student {
    private final String name;
    private final int grade;

    public Student(String name, int grade) {
        this.name = name;
        this.grade = grade;
    }

    public String name() {
        return name;
    }

    public int grade() {
        return grade;
    }
}
