// References to static methods, methods of an object, methods of an argument, and constructors.
// weakness: no-method-references
// loses: MethodReferences.one:()V MethodReferences.two:()V MethodReferences.three:()V MethodReferences$Made.<init>:()V
import java.util.function.*;
public class MethodReferences {
    public static void main(String[] arguments) {
        MethodReferences object = new MethodReferences();
        Runnable first = MethodReferences::one;
        first.run();
        Runnable second = object::two;
        second.run();
        Consumer<MethodReferences> third = MethodReferences::three;
        third.accept(object);
        Supplier<Made> fourth = Made::new;
        fourth.get();
    }
    static void one() {}
    void two() {}
    void three() {}
    static class Made {}
}
