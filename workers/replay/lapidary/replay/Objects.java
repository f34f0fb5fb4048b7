package lapidary.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import sun.misc.Unsafe;

/** Objects without constructors: their fields are set one by one, final ones too. */
final class Objects {
    private static final Unsafe UNSAFE = unsafe();
    private final Map<Integer, Object> byNumber = new HashMap<>();

    void clear() {
        byNumber.clear();
    }

    Object get(int number) {
        return byNumber.get(number);
    }

    /** The same object, known by this number from now on. */
    Object named(int number, Object object) {
        byNumber.put(number, object);
        return object;
    }

    /** A new object whose fields are zero, known by this number before they are set: it may refer to itself. */
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
            // A class that does not fit, or a machine at its end, says nothing about the values.
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
