// Abstraction of shop.ClassRoom, policy mnemonic, made by lapidary.
package shop;

import java.util.ArrayList;
import lapidary.Symbolic;

public class ClassRoom {
    private final ArrayList<String> strings = new ArrayList<>();
    private final ArrayList<Student> students = new ArrayList<>();

    public ClassRoom() {}

    public Iterable getStudentNames() {
        return new ArrayList<>(strings);
    }

    public void addStudent(String name, Student student) {
        strings.add(name);
        students.add(student);
    }

    public void addGrade(String name, int grade) {
        strings.add(name);
        Student student = Symbolic.getPassedParameter(students);
        if (Symbolic.randomChoice()) {
            student = new Student();
            addStudent(name, student);
        }
        student.addGrade(grade);
    }
}
