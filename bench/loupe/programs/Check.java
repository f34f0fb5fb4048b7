import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Runs both versions of a program on the same inputs and says on which they differ. What matches the pattern of intended output
 * is left out. Arguments: old classes, new classes, main, pattern, number of random inputs, one witness argument each.
 */
public class Check {
    private static final String LETTERS = "aehikoqvx-/=fnAN'19 ";
    private static final String[] WORDS = {"/f", "/h", "/i", "/new", "q=Ca", "q=a", "n=7", "v", "-v", "out", "high", "low", "git", "vim"};
    private static final int[] NUMBERS = {0, 1, -1, 2, 3, 5, 10, 17, 18, 20, 21, 50, 100, 145, 185, 2000, Integer.MAX_VALUE, Integer.MIN_VALUE};

    public static void main(String[] args) throws Exception {
        Method before = method(args[0], args[2]);
        Method after = method(args[1], args[2]);
        Pattern intended = args[3].isEmpty() ? null : Pattern.compile(args[3]);
        Class<?>[] types = before.getParameterTypes();
        if (args.length - 5 == types.length && types.length > 0) {
            String old = run(before, parse(types, args), intended);
            String changed = run(after, parse(types, args), intended);
            System.out.println("witness " + (old.equals(changed) ? "same" : "differs") + "\n" + old + "----\n" + changed);
        }
        System.out.println("random " + differences(before, after, intended, Integer.parseInt(args[4])));
    }

    private static int differences(Method before, Method after, Pattern intended, int count) throws Exception {
        int different = 0;
        for (int seed = 0; seed < count; seed++) {
            Object[] once = random(before.getParameterTypes(), scattered(seed));
            Object[] again = random(before.getParameterTypes(), scattered(seed));
            if (!run(before, once, intended).equals(run(after, again, intended))) {
                different++;
            }
        }
        return different;
    }

    /** Neighbouring seeds begin alike in the library's generator; a product scatters them. */
    private static Random scattered(int seed) {
        return new Random(seed * 0x9E3779B97F4A7C15L);
    }

    private static Method method(String classes, String main) throws Exception {
        int dot = main.lastIndexOf('.');
        URLClassLoader loader = new URLClassLoader(new URL[] {Path.of(classes).toUri().toURL()}, null);
        for (Method method : loader.loadClass(main.substring(0, dot)).getDeclaredMethods()) {
            if (method.getName().equals(main.substring(dot + 1))) {
                return method;
            }
        }
        throw new NoSuchMethodException(main);
    }

    private static String run(Method method, Object[] inputs, Pattern intended) throws Exception {
        PrintStream saved = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true));
        String end;
        try {
            end = "returns " + method.invoke(null, inputs);
        } catch (InvocationTargetException thrown) {
            end = "throws " + thrown.getCause();
        } finally {
            System.setOut(saved);
        }
        StringBuilder kept = new StringBuilder();
        for (String line : printed.toString().split("\n")) {
            if (intended == null || !intended.matcher(line).find()) {
                kept.append(line).append('\n');
            }
        }
        return kept.append(end).append('\n').toString();
    }

    private static Object[] parse(Class<?>[] types, String[] args) {
        Object[] inputs = new Object[types.length];
        for (int index = 0; index < types.length; index++) {
            inputs[index] = parse(types[index], args[5 + index].trim());
        }
        return inputs;
    }

    private static Object parse(Class<?> type, String text) {
        if (type == int.class) {
            return Integer.parseInt(text);
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        } else if (type == String.class) {
            return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
        }
        String inner = text.substring(1, text.length() - 1).trim();
        List<Object> elements = new ArrayList<>();
        for (String element : inner.isEmpty() ? new String[0] : inner.split(",")) {
            elements.add(parse(type.getComponentType(), element.trim()));
        }
        return array(type, elements);
    }

    private static Object array(Class<?> type, List<Object> elements) {
        Object array = Array.newInstance(type.getComponentType(), elements.size());
        for (int index = 0; index < elements.size(); index++) {
            Array.set(array, index, elements.get(index));
        }
        return array;
    }

    private static Object[] random(Class<?>[] types, Random random) {
        return Arrays.stream(types).map(type -> random(type, random)).toArray();
    }

    private static Object random(Class<?> type, Random random) {
        if (type == int.class) {
            return random.nextInt(3) > 0 ? (Object) NUMBERS[random.nextInt(NUMBERS.length)] : (Object) random.nextInt(200);
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return random.nextBoolean() ? WORDS[random.nextInt(WORDS.length)] : letters(random);
        }
        List<Object> elements = new ArrayList<>();
        for (int count = random.nextInt(5); count > 0; count--) {
            elements.add(random(type.getComponentType(), random));
        }
        return array(type, elements);
    }

    private static String letters(Random random) {
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(5); count > 0; count--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
