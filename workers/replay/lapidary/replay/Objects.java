package lapidary.replay;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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
        Class<?>[] parameters = Types.parameters(descriptor);
        try {
            if (name.equals("<init>")) {
                Constructor<?> constructor = owner.getDeclaredConstructor(parameters);
                Types.open(constructor);
                return constructor.newInstance(values);
            }
            Method method = owner.getDeclaredMethod(name, parameters);
            Types.open(method);
            return method.invoke(null, values);
        } catch (InvocationTargetException thrown) {
            // A class that does not fit, or a machine at its end, says nothing about the values.
            if (thrown.getCause() instanceof LinkageError || thrown.getCause() instanceof VirtualMachineError) {
                throw (Error) thrown.getCause();
            }
            throw new NotAllowed(thrown.getCause());
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
