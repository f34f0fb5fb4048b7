package prizes;

import java.util.List;

/** Says who was considered. */
public class Logger {
    public void considered(List<Student> students) {
        for (Student student : students) {
            System.out.println("considered: " + student.name());
        }
    }
}
