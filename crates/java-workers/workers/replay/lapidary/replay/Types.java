package lapidary.replay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Modifier;

/** Types by their letters and descriptors in class files. */
final class Types {
    private Types() {}

    static Class<?> ofLetter(char letter) {
        switch (letter) {
            case 'Z': return boolean.class;
            case 'B': return byte.class;
            case 'C': return char.class;
            case 'S': return short.class;
            case 'I': return int.class;
            case 'J': return long.class;
            case 'F': return float.class;
            case 'D': return double.class;
            default: throw new IllegalArgumentException("no type is written " + letter);
        }
    }

    /** The parameters and result of a method, from its descriptor. */
    static MethodType signature(String descriptor) {
        return MethodType.fromMethodDescriptorString(descriptor, Types.class.getClassLoader());
    }

    /** A lookup for all members of a class; for a library class, only those that are public. */
    static MethodHandles.Lookup lookup(Class<?> owner) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
        } catch (IllegalAccessException closed) {
            return MethodHandles.publicLookup();
        }
    }

    static Class<?> type(String descriptor) throws ClassNotFoundException {
        if (descriptor.length() == 1) {
            return ofLetter(descriptor.charAt(0));
        }
        boolean isClass = descriptor.charAt(0) == 'L';
        String name = isClass ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
        return named(name.replace('/', '.'));
    }

    /** The name of a class, without the numbers that the JVM generates for a hidden one. */
    static String nameOf(Class<?> type) {
        return type.isHidden() ? type.getName().replaceAll("(\\$\\$Lambda).*|/0x.*", "$1") : type.getName();
    }

    static Class<?> named(String name) throws ClassNotFoundException {
        return Class.forName(name, false, Types.class.getClassLoader());
    }

    /** A constant of an enum. */
    static Object constant(String owner, String name) throws ReflectiveOperationException {
        java.lang.reflect.Field field = named(owner).getDeclaredField(name);
        open(field);
        return field.get(null);
    }

    /** A new wrapper object for the number, where the library would share one. */
    @SuppressWarnings({"removal", "deprecation"})
    static Object boxed(Object value) {
        if (value instanceof Integer) {
            return new Integer((Integer) value);
        }
        if (value instanceof Long) {
            return new Long((Long) value);
        }
        if (value instanceof Short) {
            return new Short((Short) value);
        }
        if (value instanceof Byte) {
            return new Byte((Byte) value);
        }
        if (value instanceof Character) {
            return new Character((Character) value);
        }
        return value;
    }

    /**
     * Makes a member accessible. Public members of the library are already accessible, and cannot
     * be opened.
     */
    static <M extends AccessibleObject & java.lang.reflect.Member> void open(M member) {
        boolean isPublic = Modifier.isPublic(member.getModifiers()) && Modifier.isPublic(member.getDeclaringClass().getModifiers());
        if (!isPublic) {
            member.setAccessible(true);
        }
    }
}
