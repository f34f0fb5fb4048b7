// The `System.out` of the JVM prints through the streams it was built from.
// needs: the whole library
// weakness: no-startup
// loses: Startup.toString:()Ljava/lang/String;
public class Startup {
    public static void main(String[] arguments) {
        System.out.println(new Startup());
    }
    @Override public String toString() { return "printed"; }
}
