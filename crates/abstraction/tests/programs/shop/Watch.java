package shop;

import java.util.List;
import java.util.function.Consumer;

/** Hands out lambdas and method references. */
public class Watch {
    private final Alarm alarm;

    public Watch(Alarm alarm) {
        this.alarm = alarm;
    }

    public void each(List<String> names, String prefix, Consumer<String> sink) {
        names.forEach(name -> sink.accept(prefix + name));
        names.forEach(sink);
    }

    public Runnable ringer() {
        return alarm::ring;
    }

    public Runnable checker(int code) {
        return () -> check(code);
    }

    private void check(int code) {
        if (code == 7) {
            alarm.ring();
        }
    }
}
