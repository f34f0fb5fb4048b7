// Class initialisers run where a class is first used.
// weakness: no-class-initialisers
// loses: Initialisers.<clinit>:()V Initialisers$Made.<clinit>:()V Initialisers$Read.<clinit>:()V Initialisers$Called.<clinit>:()V Initialisers.note:()V
public class Initialisers {
    static int notes;
    static { note(); }
    static void note() { notes++; }
    public static void main(String[] arguments) {
        new Made();
        int read = Read.field;
        Called.method();
    }
    static class Made { static { note(); } }
    static class Read { static int field = 1; }
    static class Called { static int field = 1; static void method() {} }
}
