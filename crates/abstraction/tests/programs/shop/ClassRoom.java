package shop;

import java.util.HashMap;
import java.util.Map;

public class ClassRoom {
    private final Map<String, Student> students = new HashMap<>();

    public Iterable<String> getStudentNames() {
        return students.keySet();
    }

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
}
