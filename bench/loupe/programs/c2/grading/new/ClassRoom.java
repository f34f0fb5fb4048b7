package grading;

import java.util.HashMap;
import java.util.Map;

/** Students by name. Averages are worked out once. */
public class ClassRoom {
    private final Map<String, Student> students = new HashMap<>();
    private final Map<String, Integer> averages = new HashMap<>();

    public void addStudent(String name, Student student) {
        students.put(name, student);
        averages.remove(name);
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
        if (student == null) {
            return 0;
        }
        return averages.computeIfAbsent(name, key -> student.average());
    }
}
