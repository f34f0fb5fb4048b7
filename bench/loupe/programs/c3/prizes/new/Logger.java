package prizes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Says who was considered, by name. */
public class Logger {
    public void considered(List<Student> students) {
        List<Student> byName = new ArrayList<>(students);
        byName.sort(Comparator.comparing(Student::name));
        for (Student student : byName) {
            System.out.println("considered: " + student.name());
        }
    }
}
