package shop;

import java.lang.reflect.Field;

/** Has a handler inside a loop inside a part that another handler protects. */
public class Audit {
    private final Alarm alarm;

    public Audit(Alarm alarm) {
        this.alarm = alarm;
    }

    public void all(Object object, StringBuilder report, boolean everything) {
        try {
            Field[] fields = object.getClass().getDeclaredFields();
            for (int at = 0; at < fields.length; at++) {
                Field field = fields[at];
                if (field.getName().indexOf('$') == -1 && (everything || field.isAccessible())) {
                    try {
                        report.append(field.get(object));
                    } catch (IllegalAccessException closed) {
                        throw new InternalError("closed");
                    }
                }
            }
        } finally {
            alarm.ring();
        }
    }
}
