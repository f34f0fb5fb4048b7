package lapidary.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import sun.reflect.ReflectionFactory;

/**
 * Creates objects without constructors, by setting their fields one by one, including final ones.
 */
final class Objects {
    private static final ClassValue<Constructor<?>> WITHOUT_CONSTRUCTOR = new ClassValue<>() {
        @Override
        protected Constructor<?> computeValue(Class<?> type) {
            try {
                Constructor<?> ofObject = Object.class.getDeclaredConstructor();
                return ReflectionFactory.getReflectionFactory().newConstructorForSerialization(type, ofObject);
            } catch (NoSuchMethodException missing) {
                throw new IllegalStateException(missing);
            }
        }
    };

    private Objects() {}

    /** Allocates an object whose fields are zero. */
    static Object allocate(Class<?> type) throws ReflectiveOperationException {
        Class.forName(type.getName(), true, type.getClassLoader());
        return WITHOUT_CONSTRUCTOR.get(type).newInstance();
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
}
