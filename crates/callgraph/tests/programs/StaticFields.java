// An object goes through a static field.
// weakness: no-static-fields
// loses: StaticFields.run:()V
public class StaticFields {
    static StaticFields field;
    public static void main(String[] arguments) {
        field = new StaticFields();
        field.run();
    }
    void run() {}
}
