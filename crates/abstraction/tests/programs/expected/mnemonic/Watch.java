// Abstraction of shop.Watch, policy mnemonic, made by lapidary.
package shop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import lapidary.Symbolic;

public class Watch {
    private final ArrayList<Runnable> runnables = new ArrayList<>();
    private final ArrayList<Alarm> alarms = new ArrayList<>();

    public Watch(Alarm alarm) {
        alarms.add(alarm);
    }

    public void each(List names, String prefix, Consumer sink) {
        names.forEach(((Consumer) (given1) -> lambda_each_0(sink, prefix, ((String) given1))));
        names.forEach(sink);
    }

    public Runnable ringer() {
        return Symbolic.getPassedParameter(runnables);
    }

    public Runnable checker(int code) {
        return ((Runnable) () -> lambda_checker_1(code));
    }

    private void check(int code) {
        if (Symbolic.randomChoice()) {
            Symbolic.getPassedParameter(alarms).ring();
        }
    }

    private void lambda_checker_1(int code) {
        check(code);
    }

    private static void lambda_each_0(Consumer sink, String prefix, String name) {
        sink.accept(("" + prefix + name));
    }
}
