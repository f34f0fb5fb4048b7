package grading;

/** Prints where a student stands. */
public class Certificates {
    private final ClassRoom room;

    public Certificates(ClassRoom room) {
        this.room = room;
    }

    public void print(String name) {
        int average = room.average(name);
        String word = average >= 90 ? "excellent" : average >= 50 ? "passed" : "failed";
        System.out.println(name + " " + word);
    }
}
