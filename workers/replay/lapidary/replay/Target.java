package lapidary.replay;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** The method that is called, and how its calls end. */
final class Target {
    private final Method method;

    private Target(Method method) {
        this.method = method;
    }

    static Target find(String owner, String name, String descriptor) throws ReflectiveOperationException {
        Method method = Types.named(owner).getDeclaredMethod(name, Types.parameters(descriptor));
        method.setAccessible(true);
        return new Target(method);
    }

    /** The object, if the method has one, and the arguments, from the words that were given. */
    Object[] inputs() throws ReflectiveOperationException {
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        Object[] inputs = new Object[1 + method.getParameterCount()];
        for (int at = isStatic ? 1 : 0; at < inputs.length; at++) {
            inputs[at] = Inputs.next();
        }
        return inputs;
    }

    /** Calls the method and says how that ended: fields with tabs between them. */
    String call(Object[] inputs) throws IllegalAccessException {
        Object[] arguments = new Object[inputs.length - 1];
        System.arraycopy(inputs, 1, arguments, 0, arguments.length);
        try {
            Object result = method.invoke(inputs[0], arguments);
            return "returned\t" + (method.getReturnType() == void.class ? "-" : shown(result));
        } catch (InvocationTargetException thrown) {
            return thrown(thrown.getCause());
        } catch (ExceptionInInitializerError thrown) {
            return thrown(thrown);
        }
    }

    static String thrown(Throwable thrown) {
        if (thrown instanceof NotAllowed) {
            return "refused";
        }
        String message = thrown.getMessage();
        return "threw\t" + thrown.getClass().getName() + "\t" + (message == null ? "-" : "T:" + digits(message)) + "\t" + place(thrown);
    }

    /** Where it was made, innermost call first, down to the first call of the program itself. */
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

    /** A value as a word: a letter that says what it is, a colon, and the value. */
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
        return value.getClass().isArray() ? array(value) : "O:" + value.getClass().getName();
    }

    private static String array(Object array) {
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at < Array.getLength(array); at++) {
            text.append(at == 0 ? "" : ",").append(shown(Array.get(array, at)));
        }
        return text.append(']').toString();
    }

    private static String digits(String text) {
        StringBuilder digits = new StringBuilder();
        text.chars().forEach(unit -> digits.append(String.format("%04x", unit)));
        return digits.toString();
    }
}
