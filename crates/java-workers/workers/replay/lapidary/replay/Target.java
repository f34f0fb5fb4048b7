package lapidary.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;

/**
 * The method to call, and the outcome of its calls. It is looked up without touching the other
 * methods of its class, because their types may be missing.
 */
final class Target {
    private final MethodHandle method;

    private Target(MethodHandle method) {
        this.method = method.asFixedArity();
    }

    static Target find(String owner, String name, String descriptor) throws ReflectiveOperationException {
        Class<?> type = Types.named(owner);
        MethodType signature = Types.signature(descriptor);
        MethodHandles.Lookup lookup = Types.lookup(type);
        try {
            return new Target(lookup.findStatic(type, name, signature));
        } catch (IllegalAccessException notStatic) {
            return new Target(lookup.findVirtual(type, name, signature));
        }
    }

    /** The receiver, if the method has one, and the arguments, from the given words. */
    Object[] inputs() throws ReflectiveOperationException {
        Object[] inputs = new Object[method.type().parameterCount()];
        for (int at = 0; at < inputs.length; at++) {
            inputs[at] = Inputs.next();
        }
        return inputs;
    }

    /** Calls the method and returns the outcome as fields separated by tabs. */
    String call(Object[] inputs) {
        try {
            Object result = method.invokeWithArguments(inputs);
            return "returned\t" + (method.type().returnType() == void.class ? "-" : shown(result));
        } catch (Throwable thrown) {
            return thrown(thrown);
        }
    }

    /** The result of the method. */
    Object result(Object[] inputs) throws Throwable {
        return method.invokeWithArguments(inputs);
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
