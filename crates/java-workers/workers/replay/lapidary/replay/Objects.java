package lapidary.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import sun.misc.Unsafe;

/**
 * Creates objects without constructors, by setting their fields one by one, including final ones.
 */
final class Objects {
    private static final Unsafe UNSAFE = unsafe();
    private final Map<Integer, Object> byNumber = new HashMap<>();

    void clear() {
        byNumber.clear();
    }

    Object get(int number) {
        return byNumber.get(number);
    }

    /** Registers an object under this number. */
    Object named(int number, Object object) {
        byNumber.put(number, object);
        return object;
    }

    /**
     * Allocates an object whose fields are zero. It is registered under this number before they are
     * set, because it may refer to itself.
     */
    Object allocate(int number, Class<?> type) throws ReflectiveOperationException {
        Class.forName(type.getName(), true, type.getClassLoader());
        Object object = UNSAFE.allocateInstance(type);
        byNumber.put(number, object);
        return object;
    }

    static void set(Object object, Class<?> owner, String name, Object value) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }

    /** Calls a constructor or a static method. */
    static Object make(Class<?> owner, String name, String descriptor, Object[] values) throws ReflectiveOperationException {
        MethodType signature = Types.signature(descriptor);
        MethodHandles.Lookup lookup = Types.lookup(owner);
        MethodHandle maker = name.equals("<init>")
            ? lookup.findConstructor(owner, signature)
            : lookup.findStatic(owner, name, signature);
        try {
            return maker.asFixedArity().invokeWithArguments(values);
        } catch (LinkageError | VirtualMachineError thrown) {
            // A linkage error or a JVM error says nothing about the values.
            throw thrown;
        } catch (Throwable thrown) {
            throw new NotAllowed(thrown);
        }
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
