package prizes;

/** Gives prizes to the three best students and logs who was considered. */
public class Main {
    private final StudentDb db;
    private final Logger logger = new Logger();
    private final Prizes prizes = new Prizes();

    private Main(StudentDb db) {
        this.db = db;
    }

    public static void run(int[] grades) {
        if (grades == null || grades.length < 3) {
            return;
        }
        new Main(new StudentDb(grades)).award();
    }

    private void award() {
        db.orderedByGrade(students -> {
            logger.considered(students);
            prizes.awardTo(students);
        });
    }
}
