// Abstraction of shop.Flow, policy mnemonic, made by lapidary.
package shop;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import lapidary.Symbolic;

public class Flow {
    private final ArrayList<Alarm> alarms = new ArrayList<>();
    private final ArrayList<Logging> loggings = new ArrayList<>();

    public Flow(Alarm alarm, Logging log) {
        alarms.add(alarm);
        loggings.add(log);
    }

    public int nested(int rows, int columns) {
        label1: while (Symbolic.randomChoice()) {
            while (Symbolic.randomChoice()) {
                Symbolic.getPassedParameter(alarms).ring();
                switch (Symbolic.selectState(3)) {
                    case 0 -> {
                        continue label1;
                    }
                    case 1 -> {
                        break label1;
                    }
                    default -> {}
                }
            }
            Logging logging = Symbolic.getPassedParameter(loggings);
            Object[] objects = new Object[1];
            objects[0] = Integer.valueOf(Symbolic.newInt());
            logging.warning("row", objects);
        }
        return 1;
    }

    public String choose(int kind) {
        label5: {
            switch (Symbolic.selectState(4)) {
                case 0 -> {
                    Symbolic.getPassedParameter(loggings).warning("high", new Object[0]);
                    break label5;
                }
                case 1 -> {
                    Symbolic.getPassedParameter(alarms).ring();
                }
                case 2 -> {
                    return "five";
                }
                default -> {}
            }
            Symbolic.getPassedParameter(loggings).warning("low", new Object[0]);
        }
        return "other";
    }

    public int guarded(Closeable resource, int[] numbers) {
        int i = 0;
        IOException ioException = null;
        Throwable throwable = null;
        label7: {
            label19: {
                label18: {
                    switch (Symbolic.selectState(3)) {
                        case 0 -> {
                            try {
                                resource.close();
                                i = Symbolic.newInt();
                            } catch (IOException ioException2) {
                                ioException = ioException2;
                                break label18;
                            } catch (ArrayIndexOutOfBoundsException arrayIndexOutOfBoundsException) {
                                break label19;
                            } catch (Throwable throwable2) {
                                throwable = throwable2;
                                break label7;
                            }
                            Symbolic.getPassedParameter(loggings).warning("done", new Object[0]);
                            return i;
                        }
                        case 1 -> {
                            break label19;
                        }
                        default -> {}
                    }
                    ioException = new IOException();
                }
                try {
                    Logging logging = Symbolic.getPassedParameter(loggings);
                    Object[] objects = new Object[1];
                    objects[0] = ioException;
                    logging.warning("broken", objects);
                } catch (Throwable throwable3) {
                    throwable = throwable3;
                    break label7;
                }
                Symbolic.getPassedParameter(loggings).warning("done", new Object[0]);
                return -1;
            }
            try {
                Symbolic.getPassedParameter(alarms).ring();
            } catch (Throwable throwable4) {
                throwable = throwable4;
                break label7;
            }
            Symbolic.getPassedParameter(loggings).warning("done", new Object[0]);
            return 0;
        }
        Symbolic.getPassedParameter(loggings).warning("done", new Object[0]);
        throw Flow.<RuntimeException>thrown(throwable);
    }

    public void again(Closeable resource) throws IOException {
        while (true) {
            try {
                resource.close();
                break;
            } catch (IOException ioException) {
                if (Symbolic.randomChoice()) {
                    throw ioException;
                }
                Symbolic.getPassedParameter(alarms).ring();
            }
        }
        Symbolic.getPassedParameter(loggings).warning("closed", new Object[0]);
    }

    public void locked(Object key) {
        if (key instanceof Alarm) { alarms.add((Alarm) key); }
        if (key instanceof Logging) { loggings.add((Logging) key); }
        Symbolic.getPassedParameter(alarms).ring();
    }

    public void failing(int code) {
        if (Symbolic.randomChoice()) {
            throw new IllegalArgumentException(("code " + code));
        }
        do {
            Symbolic.getPassedParameter(alarms).ring();
        } while (Symbolic.randomChoice());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException thrown(Throwable throwable) throws T {
        throw (T) throwable;
    }
}
