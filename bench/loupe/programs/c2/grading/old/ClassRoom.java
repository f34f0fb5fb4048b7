package grading;

import java.util.HashMap;
import java.util.Map;

/** Students by name. */
public class ClassRoom {
    private final Map<String, Student> students = new HashMap<>();

    public void addStudent(String name, Student student) {
        students.put(name, student);
    }

    public void addGrade(String name, int grade) {
        Student student = students.get(name);
        if (student == null) {
            student = new Student();
            addStudent(name, student);
        }
        student.addGrade(grade);
    }

    public int average(String name) {
        Student student = students.get(name);
        return student == null ? 0 : student.average();
    }
}
