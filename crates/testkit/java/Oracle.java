import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import sun.misc.Unsafe;

/**
 * Compiles generated programs and runs them on random inputs, many in one JVM. Each line of
 * standard input is a command, each line of standard output its answer; fields are separated by
 * tabs.
 *
 * <pre>
 * compile CLASSES SOURCE...                    ok | failed MESSAGES
 * differ CLASS SEED COUNT BOUND OLD NEW        same | different INPUTS OLD NEW | failed WHY
 * run CLASS SEED COUNT BOUND DIRECTORY         ran (MARKS ENDING INPUTS)... | failed WHY
 * </pre>
 *
 * It shares no code with the code under test. Inputs stay within BOUND: texts have at most that
 * many characters below U+0100, arrays and collections that many elements. A collection has the
 * class that Lapidary tries for its interface.
 */
public final class Oracle {
    private static final PrintStream ANSWERS = System.out;
    private static int bound;
    private static final int DEPTH = 1;
    private static final int[] NUMBERS = {0, 1, 2, 3, -1, 7, 10, 16, 100, -5, Integer.MAX_VALUE, 255, Integer.MIN_VALUE, 8, 15};
    private static final String[] TEXTS = {"", "a", "b", "ab", "k", "x", "bx", "kx"};

    public static void main(String[] arguments) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split("\t");
            String answer;
            try {
                bound = words[0].equals("compile") ? 0 : Integer.parseInt(words[4]);
                answer = switch (words[0]) {
                    case "compile" -> compile(words);
                    case "differ" -> differ(words[1], Long.parseLong(words[2]), Integer.parseInt(words[3]), words[5], words[6]);
                    case "run" -> run(words[1], Long.parseLong(words[2]), Integer.parseInt(words[3]), words[5]);
                    default -> "failed\tno such command";
                };
            } catch (Exception | LinkageError failed) {
                answer = "failed\t" + escaped(failed.toString());
            }
            ANSWERS.println(answer);
            ANSWERS.flush();
        }
    }

    private static String compile(String[] words) {
        List<String> options = new ArrayList<>(List.of("-g", "-nowarn", "-proc:none", "-d", words[1]));
        options.addAll(Arrays.asList(words).subList(2, words.length));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, options.toArray(new String[0]));
        return code == 0 ? "ok" : "failed\t" + escaped(messages.toString());
    }

    private static String differ(String name, long seed, int count, String old, String next) throws Exception {
        Version one = new Version(old, name);
        Version other = new Version(next, name);
        for (int call = 0; call < count; call++) {
            Seen before = one.call(seed + call);
            Seen after = other.call(seed + call);
            if (!before.all().equals(after.all())) {
                return String.join("\t", "different", escaped(before.inputs), escaped(before.all()), escaped(after.all()));
            }
        }
        return "same";
    }

    private static String run(String name, long seed, int count, String directory) throws Exception {
        Version version = new Version(directory, name);
        Map<String, String> found = new LinkedHashMap<>();
        for (int call = 0; call < count; call++) {
            Seen seen = version.call(seed + call);
            String ending = seen.ending.startsWith("returned") ? "returned" : seen.ending.split(": ")[0];
            found.putIfAbsent(marks(seen.printed) + "\t" + ending, escaped(seen.inputs));
        }
        StringBuilder answer = new StringBuilder("ran");
        found.forEach((key, inputs) -> answer.append('\t').append(key).append('\t').append(inputs));
        return answer.toString();
    }

    private static final Pattern MARK = Pattern.compile("<@(\\d+)@>");

    private static String marks(String printed) {
        return "@" + MARK.matcher(printed).results().map(mark -> mark.group(1) + ";").collect(Collectors.joining());
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** The observable behaviour of a call. */
    private record Seen(String inputs, String ending, String left, String printed) {
        String all() {
            return ending + "\nleft " + left + "\nprinted " + printed;
        }
    }

    /** A program loaded from a directory. */
    private static final class Version {
        private final Class<?> type;
        private final Method method;
        private final ClassLoader loader;

        Version(String directory, String name) throws Exception {
            URL[] place = {Path.of(directory).toUri().toURL()};
            loader = new URLClassLoader(place, ClassLoader.getPlatformClassLoader());
            loader.setDefaultAssertionStatus(true);
            type = loader.loadClass(name);
            method = Arrays.stream(type.getDeclaredMethods()).filter(found -> found.getName().equals("run")).findFirst().orElseThrow();
            method.setAccessible(true);
        }

        Seen call(long seed) throws Exception {
            forgetStatics();
            Maker maker = new Maker(new Random(seed), loader);
            Object object = Modifier.isStatic(method.getModifiers()) ? null : maker.fields(type, DEPTH + 1);
            Type[] types = method.getGenericParameterTypes();
            Object[] values = new Object[types.length];
            for (int at = 0; at < types.length; at++) {
                values[at] = maker.argument(types[at], values, at);
            }
            Object[] inputs = new Object[values.length + 1];
            inputs[0] = object;
            System.arraycopy(values, 0, inputs, 1, values.length);
            String before = Shown.of(inputs);
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            String ending;
            try {
                ending = "returned " + Shown.of(method.invoke(object, values));
            } catch (InvocationTargetException thrown) {
                ending = "threw " + thrown.getCause().getClass().getName() + ": " + message(thrown.getCause());
            }
            System.setOut(ANSWERS);
            return new Seen(before, ending, Shown.of(inputs), printed.toString(StandardCharsets.UTF_8));
        }

        private void forgetStatics() throws Exception {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                    field.setAccessible(true);
                    field.setInt(null, 0);
                }
            }
        }

        /**
         * The message of an exception, without the names of variables with which the JVM explains a
         * null.
         */
        private static String message(Throwable thrown) {
            String message = thrown.getMessage();
            boolean explains = thrown instanceof NullPointerException && message != null && message.startsWith("Cannot ");
            return explains ? "" : message;
        }
    }

    /** Makes random values. */
    private record Maker(Random random, ClassLoader loader) {
        private static final Unsafe UNSAFE = unsafe();

        /** A random argument; now and then an object that is already another argument. */
        Object argument(Type type, Object[] earlier, int count) throws Exception {
            if (type instanceof Class<?> wanted && wanted.getClassLoader() == loader && random.nextInt(8) == 0) {
                for (int at = 0; at < count; at++) {
                    if (wanted.isInstance(earlier[at])) {
                        return earlier[at];
                    }
                }
            }
            return value(type, DEPTH);
        }

        Object value(Type type, int depth) throws Exception {
            if (type == int.class || type == Integer.class) {
                return number();
            } else if (type == long.class) {
                return random.nextInt(3) == 0 ? random.nextLong() : (long) number();
            } else if (type == boolean.class) {
                return random.nextBoolean();
            } else if (type == char.class) {
                return random.nextInt(2) == 0 ? "abkx".charAt(random.nextInt(4)) : (char) random.nextInt(256);
            }
            return random.nextInt(8) == 0 ? null : object(type, depth);
        }

        private int number() {
            return switch (random.nextInt(3)) {
                case 0 -> NUMBERS[random.nextInt(NUMBERS.length)] + random.nextInt(3) - 1;
                case 1 -> random.nextInt(5) - 1;
                default -> random.nextInt();
            };
        }

        private Object object(Type type, int depth) throws Exception {
            if (type == String.class) {
                String known = TEXTS[random.nextInt(TEXTS.length)];
                return random.nextInt(3) > 0 && known.length() <= bound ? known : text();
            } else if (type instanceof ParameterizedType generic) {
                return collection((Class<?>) generic.getRawType(), generic.getActualTypeArguments(), depth);
            } else if (type instanceof GenericArrayType array) {
                return array((Class<?>) array.getGenericComponentType(), depth);
            }
            Class<?> wanted = (Class<?>) type;
            if (wanted.isArray()) {
                return array(wanted.getComponentType(), depth);
            } else if (wanted.isEnum()) {
                return wanted.getEnumConstants()[random.nextInt(wanted.getEnumConstants().length)];
            } else if (wanted.isRecord()) {
                return record(wanted, depth);
            } else if (wanted.isInterface()) {
                String prefix = wanted.getName().substring(0, wanted.getName().length() - "Shape".length());
                return fields(loader.loadClass(prefix + (random.nextBoolean() ? "Square" : "Box")), depth);
            }
            return depth < 0 ? null : fields(wanted, depth);
        }

        private String text() {
            char[] characters = new char[random.nextInt(bound + 1)];
            for (int at = 0; at < characters.length; at++) {
                characters[at] = (char) random.nextInt(256);
            }
            return new String(characters);
        }

        private Object array(Class<?> element, int depth) throws Exception {
            Object array = Array.newInstance(element, random.nextInt(bound + 1));
            for (int at = 0; at < Array.getLength(array); at++) {
                Array.set(array, at, value(element, depth - 1));
            }
            return array;
        }

        private Object record(Class<?> wanted, int depth) throws Exception {
            RecordComponent[] components = wanted.getRecordComponents();
            Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Object[] values = new Object[types.length];
            for (int at = 0; at < types.length; at++) {
                values[at] = value(types[at], depth - 1);
            }
            var constructor = wanted.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }

        private Object collection(Class<?> wanted, Type[] of, int depth) throws Exception {
            int size = random.nextInt(bound + 1);
            if (wanted == Optional.class) {
                return Optional.ofNullable(value(of[0], depth - 1));
            } else if (wanted == Map.class) {
                Map<Object, Object> map = new HashMap<>();
                for (int at = 0; at < size; at++) {
                    map.put(value(of[0], depth - 1), value(of[1], depth - 1));
                }
                return map;
            }
            Collection<Object> made = wanted == Set.class ? new HashSet<>() : wanted == Deque.class ? new LinkedList<>() : new ArrayList<>();
            for (int at = 0; at < size; at++) {
                made.add(of[0] == Integer.class && random.nextInt(8) == 0 ? null : value(of[0], depth - 1));
            }
            return made;
        }

        Object fields(Class<?> wanted, int depth) throws Exception {
            Object object = UNSAFE.allocateInstance(wanted);
            Field[] fields = wanted.getDeclaredFields();
            Arrays.sort(fields, Comparator.comparing(Field::getName));
            for (Field field : fields) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    field.set(object, value(field.getGenericType(), depth - 1));
                }
            }
            return object;
        }

        private static Unsafe unsafe() {
            try {
                Field field = Unsafe.class.getDeclaredField("theUnsafe");
                field.setAccessible(true);
                return (Unsafe) field.get(null);
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException(missing);
            }
        }
    }

    /** Values as text, with everything in them; a repeated object is a number. */
    private static final class Shown {
        private final StringBuilder text = new StringBuilder();
        private final Map<Object, Integer> numbers = new IdentityHashMap<>();

        static String of(Object... values) {
            Shown shown = new Shown();
            for (Object value : values == null ? new Object[] {null} : values) {
                shown.add(value);
                shown.text.append(", ");
            }
            return shown.text.toString();
        }

        private void add(Object value) {
            if (value == null || value instanceof Number || value instanceof Boolean || value instanceof Enum) {
                text.append(value);
            } else if (value instanceof Character || value instanceof String) {
                text.append('"').append(value).append('"');
            } else if (numbers.containsKey(value)) {
                text.append('#').append(numbers.get(value));
            } else {
                numbers.put(value, numbers.size());
                text.append(value.getClass().getSimpleName()).append('{');
                addParts(value);
                text.append('}');
            }
        }

        private void addParts(Object value) {
            if (value.getClass().isArray()) {
                for (int at = 0; at < Array.getLength(value); at++) {
                    add(Array.get(value, at));
                    text.append(' ');
                }
            } else if (value instanceof Collection<?> collection) {
                for (Object element : collection) {
                    add(element);
                    text.append(' ');
                }
            } else if (value instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    add(entry.getKey());
                    text.append('=');
                    add(entry.getValue());
                    text.append(' ');
                }
            } else if (value instanceof Optional<?> optional) {
                add(optional.orElse(null));
            } else {
                addFields(value);
            }
        }

        private void addFields(Object value) {
            Field[] fields = value.getClass().getDeclaredFields();
            Arrays.sort(fields, Comparator.comparing(Field::getName));
            for (Field field : fields) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    try {
                        text.append(field.getName()).append('=');
                        add(field.get(value));
                        text.append(' ');
                    } catch (IllegalAccessException closed) {
                        throw new IllegalStateException(closed);
                    }
                }
            }
        }
    }
}
