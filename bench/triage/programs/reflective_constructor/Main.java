// expects: feature (Constructor.newInstance)
package reflective_constructor;

public class Main {
    static class Made {
        Made() { System.out.println("made"); }
    }

    public static void main(String[] args) throws Exception {
        Main.class.getDeclaredClasses()[0].getDeclaredConstructor().newInstance();
    }
}
