package lapidary.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What values hold, in words that are the same for values that look the same from outside: neither the order in which a class declares
 * its fields nor names that the machine makes up are in them.
 */
final class Contents {
    private static final int DEPTH = 200;
    private static final String LAMBDA = "$$Lambda";
    /** Fields that tell nothing, as {@code shop.Till.cache}; {@code shop.Till.*} stands for what lambdas of the class have captured. */
    static Set<String> unseen = Set.of();
    private final StringBuilder text = new StringBuilder();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    private Contents() {}

    static String of(Object... values) {
        Contents contents = new Contents();
        for (Object value : values) {
            contents.add(value, 0);
            contents.text.append('\n');
        }
        return contents.text.toString();
    }

    private void add(Object value, int depth) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Double) {
            text.append(value);
        } else if (value instanceof String) {
            text.append('"').append(value).append('"');
        } else if (value instanceof Character) {
            text.append('\'').append(value).append('\'');
        } else if (value instanceof Long || value instanceof Float) {
            text.append(value).append(value instanceof Long ? 'L' : 'f');
        } else if (value instanceof Number || value instanceof CharSequence) {
            text.append(Types.nameOf(value.getClass())).append('(').append(value).append(')');
        } else if (value instanceof Enum) {
            text.append(Types.nameOf(((Enum<?>) value).getDeclaringClass())).append('.').append(((Enum<?>) value).name());
        } else if (value instanceof Class) {
            text.append(Types.nameOf((Class<?>) value));
        } else if (depth > DEPTH) {
            text.append("...");
        } else if (numbers.containsKey(value)) {
            text.append('#').append(numbers.get(value));
        } else {
            numbers.put(value, numbers.size());
            addParts(value, depth + 1);
        }
    }

    private void addParts(Object value, int depth) {
        if (value.getClass().isArray()) {
            text.append(Types.nameOf(value.getClass().getComponentType())).append('[');
            for (int at = 0; at < Array.getLength(value); at++) {
                add(Array.get(value, at), depth);
                text.append(' ');
            }
            text.append(']');
            return;
        }
        text.append(Types.nameOf(value.getClass())).append('{');
        if (value instanceof Collection) {
            for (Object element : (Collection<?>) value) {
                add(element, depth);
                text.append(' ');
            }
        } else if (value instanceof Map) {
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                add(entry.getKey(), depth);
                text.append('=');
                add(entry.getValue(), depth);
                text.append(' ');
            }
        } else if (value instanceof Optional) {
            add(((Optional<?>) value).orElse(null), depth);
        } else if (value instanceof Throwable) {
            text.append(((Throwable) value).getMessage());
        } else if (value.getClass().getModule().isNamed()) {
            addLibraryObject(value);
        } else {
            addFields(value, depth);
        }
        text.append('}');
    }

    /** The library does not let us look inside; what it says about itself will do if it says anything. */
    private void addLibraryObject(Object value) {
        try {
            boolean speaks = value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
            text.append(speaks ? value.toString() : "");
        } catch (NoSuchMethodException | RuntimeException silent) {
            text.append('?');
        }
    }

    private void addFields(Object value, int depth) {
        for (Field field : fields(value.getClass())) {
            text.append(field.getName()).append('=');
            try {
                field.setAccessible(true);
                add(field.get(value), depth);
            } catch (IllegalAccessException | RuntimeException closed) {
                text.append('?');
            }
            text.append(' ');
        }
    }

    /** The fields of the objects of a class, by name. */
    private static List<Field> fields(Class<?> of) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> type = of; type != null && !type.getModule().isNamed(); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !isUnseen(of, field)) {
                    fields.add(field);
                }
            }
        }
        fields.sort(Comparator.comparing(Field::getName));
        return fields;
    }

    private static boolean isUnseen(Class<?> of, Field field) {
        String name = Types.nameOf(of);
        return name.endsWith(LAMBDA)
                ? unseen.contains(name.substring(0, name.length() - LAMBDA.length()) + ".*")
                : unseen.contains(name + "." + field.getName());
    }
}
