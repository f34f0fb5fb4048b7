package grading;

/** Enters grades in turn for two students and prints averages as they go. */
public class Main {
    public static void run(int[] grades) {
        if (grades == null || grades.length > 4) {
            return;
        }
        ClassRoom room = new ClassRoom();
        Certificates certificates = new Certificates(room);
        String[] names = {"Ina", "Tom"};
        for (int index = 0; index < grades.length; index++) {
            if (grades[index] < 0 || grades[index] > 100) {
                return;
            }
            room.addGrade(names[index % 2], grades[index]);
            certificates.print(names[index % 2]);
        }
    }
}
