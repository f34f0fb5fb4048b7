// Methods with code in interfaces, inherited, overridden, called on a lambda, and called with super.
// weakness: no-default-methods
// loses: DefaultMethods$Greeter.greet:()V DefaultMethods$Greeter.onLambda:()V DefaultMethods$Greeter.helper:()V
public class DefaultMethods {
    public static void main(String[] arguments) {
        Greeter greeter = new Polite();
        greeter.greet();
        greeter.polite();
        Greeter lambda = () -> {};
        lambda.onLambda();
        lambda.name();
    }
    static class Polite implements Greeter {
        public void name() {}
        @Override public void polite() { Greeter.super.polite(); }
    }
    interface Greeter {
        void name();
        default void greet() { helper(); }
        default void polite() {}
        default void onLambda() {}
        private void helper() {}
    }
}
