package shop;

/** Has lines that no input reaches. */
public class Grades {
    static int grade(int points) {
        int grade = 0;
        if (points < 0) {
            grade = -1;
            if (points > 0) {
                grade = 9;
            }
        } else if (points > 50) {
            grade = 1;
        }
        if (grade > 5) {
            grade = 5;
        }
        return grade;
    }
}
