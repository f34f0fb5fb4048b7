package prizes;

import java.util.Comparator;
import java.util.List;

/** Says who was considered, by name. */
public class Logger {
    public void considered(List<Student> students) {
        students.sort(Comparator.comparing(Student::name));
        for (Student student : students) {
            System.out.println("considered: " + student.name());
        }
    }
}
