import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Answers one question per line by asking the JVM that runs it. Names are internal names or array
 * descriptors.
 */
public class Oracle {
    static final MethodHandles.Lookup LOOKUP = trustedLookup();
    static final ClassLoader LOADER = Oracle.class.getClassLoader();

    public static void main(String[] args) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        for (String line; (line = questions.readLine()) != null; ) {
            answers.println(answer(line.split(" ")));
        }
    }

    static String answer(String[] question) {
        try {
            switch (question[0]) {
                case "subtype":
                    return load(question[2]).isAssignableFrom(load(question[1])) ? "Yes" : "No";
                case "method":
                    return method(load(question[1]), question[2], type(question[3]));
                case "field":
                    return field(load(question[1]), question[2], type("()" + question[3]).returnType());
                case "call":
                    return call(load(question[1]), load(question[2]), question[3], type(question[4]));
                default:
                    throw new IllegalArgumentException(question[0]);
            }
        } catch (Throwable thrown) {
            return "error " + thrown;
        }
    }

    /**
     * The class that declares the method that the name resolves to; "?" if it is found but unknown.
     */
    static String method(Class<?> owner, String name, MethodType type) {
        try {
            return declaring(LOOKUP.findSpecial(owner, name, type, owner));
        } catch (Throwable notConcrete) {
            try {
                return declaring(LOOKUP.findStatic(owner, name, type));
            } catch (Throwable notStatic) {
                try {
                    LOOKUP.findVirtual(owner, name, type);
                    return "?";
                } catch (Throwable notFound) {
                    return "NotFound";
                }
            }
        }
    }

    static String field(Class<?> owner, String name, Class<?> type) {
        try {
            return declaring(LOOKUP.findGetter(owner, name, type));
        } catch (Throwable notInstance) {
            try {
                return declaring(LOOKUP.findStaticGetter(owner, name, type));
            } catch (Throwable notFound) {
                return "NotFound";
            }
        }
    }

    /** The result of calling a method through a reference to one class on an object of another. */
    static String call(Class<?> named, Class<?> receiver, String name, MethodType type) throws Throwable {
        MethodHandle handle;
        try {
            handle = LOOKUP.findVirtual(named, name, type);
        } catch (NoSuchMethodException | IllegalAccessException unresolved) {
            return "unresolved";
        }
        try {
            return (String) handle.invoke(unsafe().allocateInstance(receiver));
        } catch (AbstractMethodError nothing) {
            return "Nothing";
        } catch (IllegalAccessError access) {
            return "IllegalAccess";
        } catch (IncompatibleClassChangeError conflict) {
            return "Conflict";
        }
    }

    static String declaring(MethodHandle handle) {
        return LOOKUP.revealDirect(handle).getDeclaringClass().getName().replace('.', '/');
    }

    static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name.replace('/', '.'), false, LOADER);
    }

    static MethodType type(String descriptor) {
        return MethodType.fromMethodDescriptorString(descriptor, LOADER);
    }

    static sun.misc.Unsafe unsafe() throws ReflectiveOperationException {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (sun.misc.Unsafe) field.get(null);
    }

    static MethodHandles.Lookup trustedLookup() {
        try {
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            field.setAccessible(true);
            return (MethodHandles.Lookup) field.get(null);
        } catch (ReflectiveOperationException missing) {
            throw new AssertionError(missing);
        }
    }
}
