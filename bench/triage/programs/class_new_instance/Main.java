// expects: feature (Class.newInstance)
package class_new_instance;

public class Main {
    static class Made {
        Made() { System.out.println("made"); }
    }

    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Exception {
        Class.forName("class_new_instance.Main$Made").newInstance();
    }
}
