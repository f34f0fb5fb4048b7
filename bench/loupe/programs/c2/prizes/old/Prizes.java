package prizes;

import java.util.List;

/** Hands out the prizes in the order of the list. */
public class Prizes {
    private static final int COUNT = 3;

    public void awardTo(List<Student> students) {
        for (int place = 0; place < COUNT && place < students.size(); place++) {
            award(place + 1, students.get(place));
        }
    }

    private void award(int place, Student student) {
        System.out.println("prize " + place + ": " + student.name());
    }
}
