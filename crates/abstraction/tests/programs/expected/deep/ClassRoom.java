// Abstraction of shop.ClassRoom, policy deep, made by lapidary.
package shop;

import java.util.ArrayList;
import lapidary.Symbolic;

public class ClassRoom {
    public ClassRoom() {}

    public Iterable getStudentNames() {
        return new ArrayList<>();
    }

    public void addStudent(String name, Student student) {}

    public void addGrade(String name, int grade) {
        Student student = new Student();
        if (Symbolic.randomChoice()) {
            student = new Student();
            addStudent(name, student);
        }
        student.addGrade(grade);
    }
}
