package lapidary.replay;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Makes the inputs of tests and calls what Java source cannot name: objects with given fields,
 * private methods, hidden classes.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Given {
    private Given() {}

    /** The class with this binary name, for classes that Java source cannot name. */
    public static Class<?> named(String name) throws ClassNotFoundException {
        return Types.named(name);
    }

    /** A new object whose fields are zero; no constructor runs. */
    public static <T> T object(Class<T> type) throws ReflectiveOperationException {
        return (T) Objects.allocate(type);
    }

    /** Sets a field, private and final ones too. */
    public static void set(Object object, Class<?> owner, String field, Object value) throws ReflectiveOperationException {
        Objects.set(object, owner, field, value);
    }

    /** Calls a constructor, named {@code <init>}, or a static method. */
    public static Object made(Class<?> owner, String name, String descriptor, Object... values) throws ReflectiveOperationException {
        return Objects.make(owner, name, descriptor, values);
    }

    /** Calls a method, private ones too. The object of an instance method comes first. */
    public static Object call(Class<?> owner, String name, String descriptor, Object... inputs) throws Throwable {
        return Target.find(owner, name, descriptor).result(inputs);
    }

    /** A constant of an enum. */
    public static Object constant(Class<?> owner, String name) throws ReflectiveOperationException {
        return Types.constant(owner.getName(), name);
    }

    /** A new wrapper object, where the library would share one. */
    public static <T> T boxed(T value) {
        return (T) Types.boxed(value);
    }

    public static <C extends Collection> C filled(C collection, Object... elements) {
        for (Object element : elements) {
            collection.add(element);
        }
        return collection;
    }

    /** Fills a map: keys and values alternate. */
    public static <M extends Map> M mapped(M map, Object... entries) {
        for (int at = 0; at < entries.length; at += 2) {
            map.put(entries[at], entries[at + 1]);
        }
        return map;
    }

    public static Object array(Class<?> element, Object... elements) {
        Object array = Array.newInstance(element, elements.length);
        for (int at = 0; at < elements.length; at++) {
            Array.set(array, at, elements[at]);
        }
        return array;
    }

    /** Everything in a value, as text. */
    public static String contents(Object value) {
        String text = Contents.of(value);
        return text.substring(0, text.length() - 1);
    }

    /** Leaves fields out of the contents of values. */
    public static void ignoring(String... fields) {
        Contents.unseen = Set.of(fields);
    }
}
