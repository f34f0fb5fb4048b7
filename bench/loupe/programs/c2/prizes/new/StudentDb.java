package prizes;

import java.util.ArrayList;
import java.util.List;

/** Students in rows of a table. A row is read only if its seal fits, as if it came over a wire. */
public class StudentDb {
    private static final String[] NAMES = {"Vera", "Adam", "Mona", "Carl"};

    private final int[] rows;
    private final int[] seals;

    public StudentDb(int[] grades) {
        rows = new int[grades.length];
        seals = new int[grades.length];
        for (int row = 0; row < grades.length; row++) {
            rows[row] = grades[row];
            seals[row] = seal(row, grades[row]);
        }
    }

    /** Passes on the students that may get a prize, the best first. */
    public void orderedByGrade(ProcessDataSet todo) {
        List<Student> found = new ArrayList<>();
        for (int row = 0; row < rows.length; row++) {
            if (seals[row] != seal(row, rows[row])) {
                throw new IllegalStateException("row " + row + " is damaged");
            }
            if (rows[row] >= 0) {
                insert(found, new Student(NAMES[row], rows[row]));
            }
        }
        todo.process(found);
    }

    private void insert(List<Student> ordered, Student student) {
        int place = 0;
        while (place < ordered.size() && ordered.get(place).grade() >= student.grade()) {
            place++;
        }
        ordered.add(place, student);
    }

    private int seal(int row, int grade) {
        int seal = row + 17;
        for (int shift = 0; shift < 32; shift += 8) {
            seal = seal * 31 + ((grade >>> shift) & 0xff);
        }
        return seal;
    }
}
