// The stream of the machine prints through what it was made of.
// needs: the whole library
// weakness: no-startup
// loses: Startup.toString:()Ljava/lang/String;
public class Startup {
    public static void main(String[] arguments) {
        System.out.println(new Startup());
    }
    @Override public String toString() { return "printed"; }
}
