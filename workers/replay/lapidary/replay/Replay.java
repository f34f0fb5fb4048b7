package lapidary.replay;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Takes one path again on the real machine: calls a method with given values and writes down how it ends.
 *
 * <pre>Replay REPORT CLASS METHOD DESCRIPTOR VALUE...</pre>
 */
public final class Replay {
    private Replay() {}

    public static void main(String[] arguments) throws Exception {
        Path report = Path.of(arguments[0]);
        for (int at = 4; at < arguments.length; at++) {
            Inputs.give(arguments[at]);
        }
        Method method = find(Class.forName(arguments[1], false, Replay.class.getClassLoader()), arguments[2], arguments[3]);
        Object[] values = new Object[method.getParameterCount()];
        for (int at = 0; at < values.length; at++) {
            values[at] = Inputs.next();
        }
        String ending;
        try {
            Object result = method.invoke(receiver(method), values);
            ending = "returned\t" + (method.getReturnType() == void.class ? "-" : shown(result));
        } catch (InvocationTargetException thrown) {
            ending = thrown(thrown.getCause());
        } catch (ExceptionInInitializerError thrown) {
            ending = thrown(thrown);
        }
        System.out.flush();
        System.err.flush();
        write(report, ending);
        // Threads that the program left behind must not keep the machine.
        Runtime.getRuntime().halt(0);
    }

    private static Method find(Class<?> owner, String name, String descriptor) throws Exception {
        Method method = owner.getDeclaredMethod(name, Types.parameters(descriptor));
        method.setAccessible(true);
        return method;
    }

    private static Object receiver(Method method) throws ReflectiveOperationException {
        if (Modifier.isStatic(method.getModifiers())) {
            return null;
        }
        Constructor<?> constructor = method.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static String thrown(Throwable thrown) {
        String message = thrown.getMessage();
        return "threw\t" + thrown.getClass().getName() + "\t" + (message == null ? "-" : "T:" + digits(message));
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

    private static void write(Path report, String ending) throws IOException {
        Files.write(report, ending.getBytes(StandardCharsets.UTF_8));
    }
}
