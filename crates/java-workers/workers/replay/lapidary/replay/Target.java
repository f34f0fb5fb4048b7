package lapidary.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A method to call. It is looked up without touching the other methods of its class, because their
 * types may be missing.
 */
final class Target {
    private final MethodHandle method;

    private Target(MethodHandle method) {
        this.method = method.asFixedArity();
    }

    static Target find(String owner, String name, String descriptor) throws ReflectiveOperationException {
        return find(Types.named(owner), name, descriptor);
    }

    static Target find(Class<?> owner, String name, String descriptor) throws ReflectiveOperationException {
        MethodType signature = Types.signature(descriptor);
        MethodHandles.Lookup lookup = Types.lookup(owner);
        try {
            return new Target(lookup.findStatic(owner, name, signature));
        } catch (IllegalAccessException notStatic) {
            return new Target(lookup.findVirtual(owner, name, signature));
        }
    }

    /** The number of arguments, and one more for the receiver if the method has one. */
    int inputs() {
        return method.type().parameterCount();
    }

    boolean returnsNothing() {
        return method.type().returnType() == void.class;
    }

    /** The result of the method. */
    Object result(Object[] inputs) throws Throwable {
        return method.invokeWithArguments(inputs);
    }
}
