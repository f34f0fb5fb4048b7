package shop;

import java.io.Closeable;
import java.io.IOException;

/** Every shape that control can take. */
public class Flow {
    private final Alarm alarm;
    private final Logging log;

    public Flow(Alarm alarm, Logging log) {
        this.alarm = alarm;
        this.log = log;
    }

    public int nested(int rows, int columns) {
        outer:
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                alarm.ring();
                if (row == column) {
                    continue outer;
                }
                if (row * column == 7) {
                    break outer;
                }
            }
            log.warning("row", row);
        }
        return 1;
    }

    public String choose(int kind) {
        switch (kind) {
            case 0:
                alarm.ring();
            case 1:
                log.warning("low");
                break;
            case 5:
                return "five";
            default:
                log.warning("high");
        }
        return "other";
    }

    public int guarded(Closeable resource, int[] numbers) {
        try {
            resource.close();
            return numbers[0];
        } catch (IOException broken) {
            log.warning("broken", broken);
            return -1;
        } catch (ArrayIndexOutOfBoundsException empty) {
            alarm.ring();
        } finally {
            log.warning("done");
        }
        return 0;
    }

    public void again(Closeable resource) throws IOException {
        while (true) {
            try {
                resource.close();
                break;
            } catch (IOException broken) {
                if (broken.getMessage() == null) {
                    throw broken;
                }
                alarm.ring();
            }
        }
        log.warning("closed");
    }

    public synchronized void locked(Object key) {
        synchronized (key) {
            alarm.ring();
        }
    }

    public void failing(int code) {
        if (code < 0) {
            throw new IllegalArgumentException("code " + code);
        }
        do {
            alarm.ring();
            code--;
        } while (code > 0);
    }
}
