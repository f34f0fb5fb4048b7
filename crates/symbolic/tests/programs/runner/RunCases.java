import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** Runs the methods whose names begin with "test" and reports the output and the ending of each. */
public final class RunCases {
    public static void main(String[] classes) throws Exception {
        PrintStream report = System.out;
        for (String name : classes) {
            Method[] methods = Class.forName(name).getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                if (method.getName().startsWith("test")) {
                    report.println(name + "\t" + method.getName() + "\t" + run(method));
                }
            }
        }
    }

    private static String run(Method method) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        method.setAccessible(true);
        String ending = "returned";
        try {
            method.invoke(null);
        } catch (InvocationTargetException failure) {
            Throwable thrown = failure.getCause();
            String message = thrown.getMessage();
            ending = "threw " + thrown.getClass().getName() + (message == null ? "" : ": " + escaped(message));
        }
        return escaped(printed.toString(StandardCharsets.UTF_8)) + "\t" + ending;
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char unit : text.toCharArray()) {
            switch (unit) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                case '"', '\\' -> escaped.append('\\').append(unit);
                default -> escaped.append(unit >= ' ' && unit <= '~' ? "" + unit : String.format("\\u%04x", (int) unit));
            }
        }
        return escaped.toString();
    }
}
