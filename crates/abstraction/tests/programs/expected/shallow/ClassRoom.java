// Abstraction of shop.ClassRoom, policy shallow, made by lapidary.
package shop;

import java.util.ArrayList;
import java.util.Arrays;
import lapidary.Symbolic;

public class ClassRoom {
    public ClassRoom() {}

    public Iterable getStudentNames() {
        return Symbolic.getArgument(Arrays.<Iterable>asList(null, new ArrayList<>()));
    }

    public void addStudent(String name, Student student) {}

    public void addGrade(String name, int grade) {}
}
