package shop;

import java.util.ArrayList;
import java.util.List;

public class Student {
    private final List<Integer> grades = new ArrayList<>();

    public void addGrade(int grade) {
        grades.add(grade);
    }

    public int average() {
        if (grades.isEmpty()) {
            return 0;
        }
        int total = 0;
        for (int grade : grades) {
            total += grade;
        }
        return total / grades.size();
    }
}
