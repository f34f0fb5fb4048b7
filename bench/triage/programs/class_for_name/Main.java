// expects: feature (Class.forName)
package class_for_name;

public class Main {
    static class Driver {
        static { System.out.println("registered"); }
    }

    public static void main(String[] args) throws Exception { Class.forName(Main.class.getName() + "$" + "Driver"); }
}
