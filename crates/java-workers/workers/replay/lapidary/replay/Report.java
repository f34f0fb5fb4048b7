package lapidary.replay;

import java.lang.reflect.Array;

/** How a call ends, as fields separated by tabs. */
final class Report {
    private Report() {}

    /** Calls the method and reports how it ends. */
    static String of(Target target, Object[] inputs) {
        try {
            return returned(target, target.result(inputs));
        } catch (Throwable thrown) {
            return thrown(thrown);
        }
    }

    static String returned(Target target, Object result) {
        return "returned\t" + (target.returnsNothing() ? "-" : shown(result));
    }

    static String thrown(Throwable thrown) {
        if (thrown instanceof NotAllowed) {
            return "refused";
        }
        String message = thrown.getMessage();
        return "threw\t" + thrown.getClass().getName() + "\t" + (message == null ? "-" : "T:" + digits(message)) + "\t" + place(thrown);
    }

    /**
     * The place where an exception was created: innermost call first, down to the first call of the
     * program itself.
     */
    private static String place(Throwable thrown) {
        StringBuilder places = new StringBuilder();
        for (StackTraceElement element : thrown.getStackTrace()) {
            String line = element.getLineNumber() > 0 ? ":" + element.getLineNumber() : "";
            places.append(places.length() == 0 ? "" : " ");
            places.append(element.getClassName()).append('.').append(element.getMethodName()).append(line);
            if (element.getModuleName() == null) {
                break;
            }
        }
        return places.length() == 0 ? "-" : places.toString();
    }

    /** A value as a word: a letter for the sort, a colon, and the value. */
    private static String shown(Object value) {
        if (value == null) {
            return "N";
        }
        if (value instanceof Boolean) {
            return (Boolean) value ? "I:1" : "I:0";
        }
        if (value instanceof Character) {
            return "I:" + (int) (Character) value;
        }
        if (value instanceof Float) {
            return "F:" + Float.floatToIntBits((Float) value);
        }
        if (value instanceof Double) {
            return "D:" + Double.doubleToLongBits((Double) value);
        }
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return "I:" + ((Number) value).longValue();
        }
        if (value instanceof String) {
            return "T:" + digits((String) value);
        }
        return value.getClass().isArray() ? array(value) : "O:" + Types.nameOf(value.getClass());
    }

    private static String array(Object array) {
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at < Array.getLength(array); at++) {
            text.append(at == 0 ? "" : ",").append(shown(Array.get(array, at)));
        }
        return text.append(']').toString();
    }

    static String digits(String text) {
        StringBuilder digits = new StringBuilder();
        text.chars().forEach(unit -> digits.append(String.format("%04x", unit)));
        return digits.toString();
    }
}
