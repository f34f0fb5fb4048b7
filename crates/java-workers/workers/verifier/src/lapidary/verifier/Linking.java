package lapidary.verifier;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.function.Consumer;

/**
 * Has the running JVM link one class, and inspects all of it by reflection.
 *
 * HotSpot links, and therefore verifies, a class before it lists its members, without running its
 * initialiser. Invariant: no code of a candidate runs, unless annotations are requested, whose
 * enums reflection initialises.
 */
final class Linking {
    private final ClassLoader loader;
    private final boolean withAnnotations;
    private final Consumer<Problem> report;

    private interface Look {
        void at() throws Throwable;
    }

    Linking(ClassLoader loader, boolean withAnnotations, Consumer<Problem> report) {
        this.loader = loader;
        this.withAnnotations = withAnnotations;
        this.report = report;
    }

    /** Returns whether the class could be linked; if not, nothing inside it has been checked. */
    boolean check(String name, boolean isGeneric) {
        Class<?>[] loaded = new Class<?>[1];
        boolean isLinked = attempt(name, () -> {
            loaded[0] = Class.forName(Names.dotted(name), false, loader);
            loaded[0].getDeclaredConstructors();
        });
        Class<?> type = loaded[0];
        if (type == null) {
            return false;
        }
        attempt(name, type::getDeclaredFields);
        attempt(name, type::getDeclaredMethods);
        lookAtKinship(name, type);
        if (isLinked && isGeneric) {
            lookAtGenerics(name, type);
        }
        if (isLinked && withAnnotations) {
            lookAtAnnotations(name, type);
        }
        return isLinked;
    }

    private void lookAtKinship(String name, Class<?> type) {
        attempt(name, type::getNestHost);
        attempt(name, type::getPermittedSubclasses);
        attempt(name, type::getDeclaredClasses);
        attempt(name, type::getDeclaringClass);
        attempt(name, type::getEnclosingClass);
        if (type.isRecord()) {
            attempt(name, type::getRecordComponents);
        }
    }

    private void lookAtGenerics(String name, Class<?> type) {
        attempt(name, () -> {
            bounds(type);
            walk(type.getGenericSuperclass());
            walk(type.getGenericInterfaces());
            if (type.isRecord()) {
                for (RecordComponent component : type.getRecordComponents()) {
                    walk(component.getGenericType());
                }
            }
        });
        attempt(name, () -> {
            for (Field field : type.getDeclaredFields()) {
                attempt(name + "." + field.getName() + " " + field.getType().descriptorString(), () -> walk(field.getGenericType()));
            }
            for (Method method : type.getDeclaredMethods()) {
                attempt(where(name, method), () -> {
                    walk(method.getGenericReturnType());
                    lookAtExecutable(method);
                });
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                attempt(where(name, constructor), () -> lookAtExecutable(constructor));
            }
        });
    }

    private static void lookAtExecutable(Executable executable) {
        bounds(executable);
        walk(executable.getGenericParameterTypes());
        walk(executable.getGenericExceptionTypes());
        executable.getParameters();
    }

    private void lookAtAnnotations(String name, Class<?> type) {
        attempt(name, () -> {
            annotations(name, type);
            for (Field field : type.getDeclaredFields()) {
                annotations(name + "." + field.getName() + " " + field.getType().descriptorString(), field);
            }
            for (Method method : type.getDeclaredMethods()) {
                annotations(where(name, method), method);
                attempt(where(name, method), method::getParameterAnnotations);
                attempt(where(name, method), method::getDefaultValue);
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                annotations(where(name, constructor), constructor);
                attempt(where(name, constructor), constructor::getParameterAnnotations);
            }
        });
    }

    private void annotations(String where, AnnotatedElement element) {
        attempt(where, element::getDeclaredAnnotations);
    }

    private static void bounds(GenericDeclaration declaration) {
        for (TypeVariable<?> variable : declaration.getTypeParameters()) {
            walk(variable.getBounds());
        }
    }

    private static void walk(Type... types) {
        for (Type type : types) {
            if (type instanceof ParameterizedType parameterized) {
                walk(parameterized.getActualTypeArguments());
                walkOwner(parameterized);
            } else if (type instanceof GenericArrayType array) {
                walk(array.getGenericComponentType());
            } else if (type instanceof WildcardType wildcard) {
                walk(wildcard.getUpperBounds());
                walk(wildcard.getLowerBounds());
            }
        }
    }

    private static void walkOwner(ParameterizedType parameterized) {
        if (parameterized.getOwnerType() != null) {
            walk(parameterized.getOwnerType());
        }
    }

    private static String where(String name, Executable executable) {
        StringBuilder text = new StringBuilder(name).append('.');
        text.append(executable instanceof Method ? executable.getName() : "<init>").append('(');
        for (Class<?> parameter : executable.getParameterTypes()) {
            text.append(parameter.descriptorString());
        }
        text.append(')');
        return text.append(executable instanceof Method method ? method.getReturnType().descriptorString() : "V").toString();
    }

    private boolean attempt(String where, Look look) {
        try {
            look.at();
            return true;
        } catch (VirtualMachineError fatal) {
            boolean isOnlyTheCandidates = fatal instanceof InternalError || fatal instanceof StackOverflowError;
            if (!isOnlyTheCandidates) {
                throw fatal;
            }
            report.accept(JvmWords.problem(where, fatal));
        } catch (Throwable thrown) {
            report.accept(JvmWords.problem(where, thrown));
        }
        return false;
    }
}
