// expects: bug no-lambdas (lambda)
package lambda;

public class Main {
    public static void main(String[] args) {
        Runnable runnable = () -> System.out.println("in lambda");
        runnable.run();
    }
}
