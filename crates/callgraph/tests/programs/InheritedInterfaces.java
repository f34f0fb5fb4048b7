// The superclass implements the interface, the subclass has the method.
// weakness: no-inherited-interfaces
// loses: InheritedInterfaces$Below.run:()V
public class InheritedInterfaces {
    public static void main(String[] arguments) {
        Task task = new Below();
        task.run();
    }
    interface Task { void run(); }
    abstract static class Above implements Task {}
    static class Below extends Above { public void run() {} }
}
