package lapidary.replay;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs each test with classes that are loaded for it alone, so that static fields have their
 * initial values.
 */
public final class FreshClasses implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext extension)
            throws Throwable {
        invocation.skip();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader fresh = new Loader(classPath())) {
            fresh.setDefaultAssertionStatus(true);
            thread.setContextClassLoader(fresh);
            Class<?> test = fresh.loadClass(context.getTargetClass().getName());
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method method = test.getDeclaredMethod(context.getExecutable().getName());
            method.setAccessible(true);
            method.invoke(constructor.newInstance());
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
            places.add(Path.of(place).toUri().toURL());
        }
        return places.toArray(new URL[0]);
    }

    /** Shares nothing but the JDK and JUnit with other loaders. */
    private static final class Loader extends URLClassLoader {
        Loader(URL[] classPath) {
            super(classPath, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean isJUnit = name.startsWith("org.junit.") || name.startsWith("org.opentest4j.");
            return isJUnit ? FreshClasses.class.getClassLoader().loadClass(name) : super.loadClass(name, resolve);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                return super.findClass(name);
            } catch (SecurityException refused) {
                // A sealed package and a forbidden name are refused, too, and stay so.
                if (!String.valueOf(refused.getMessage()).contains("signer information")) {
                    throw refused;
                }
                return withoutSignature(name);
            }
        }

        /** The classes of a package have the same signers, and tests in a package of the program have none. */
        private Class<?> withoutSignature(String name) throws ClassNotFoundException {
            URL place = findResource(name.replace('.', '/') + ".class");
            try (InputStream in = place.openStream()) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length, new CodeSource(place, (Certificate[]) null));
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}
