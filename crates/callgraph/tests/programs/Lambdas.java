// Lambdas with and without captured values, with boxing, and one that creates another lambda.
// weakness: no-lambdas
// loses: Lambdas.lambda$main$0:()V Lambdas.lambda$main$1:(LLambdas;)V Lambdas.lambda$main$2:(Ljava/lang/Integer;)I Lambdas.lambda$main$3:(LLambdas$Inner;)V Lambdas.lambda$main$4:(LLambdas$Inner;)Ljava/lang/Runnable; Lambdas.one:()V Lambdas.two:()V Lambdas.three:()V Lambdas$Inner.four:()V
import java.util.function.*;
public class Lambdas {
    public static void main(String[] arguments) {
        Lambdas captured = new Lambdas();
        Runnable first = () -> one();
        first.run();
        Runnable second = () -> captured.two();
        second.run();
        ToIntFunction<Integer> third = number -> { three(); return number; };
        third.applyAsInt(3);
        Inner inner = new Inner();
        Supplier<Runnable> fourth = () -> () -> inner.four();
        fourth.get().run();
    }
    static void one() {}
    void two() {}
    static void three() {}
    static class Inner { void four() {} }
}
