import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.StandardProtocolFamily;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Runs the programs of crates/java-workers/workers/replay without starting a JVM for each: every
 * connection is one run, with classes of its own.
 *
 * <pre>WarmJava SOCKET</pre>
 *
 * A client sends the arguments that it would have passed to `java`: their number, and each with its
 * length. The answer to a replay is an exit code, standard output and standard error. An observer
 * answers line by line.
 */
public final class WarmJava {
    private static final PrintStream OUT = System.out;
    private static final PrintStream ERR = System.err;

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(arguments[0]));
        endWithParent();
        OUT.println("ready");
        while (true) {
            try (SocketChannel client = server.accept()) {
                serve(client);
            } catch (IOException | RuntimeException lost) {
                ERR.println("warm java: " + lost);
            } finally {
                System.setOut(OUT);
                System.setErr(ERR);
            }
        }
    }

    /** Ends this JVM when its parent does, because standard input then ends. */
    private static void endWithParent() {
        Thread watcher = new Thread(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException lost) {
                ERR.println("warm java: " + lost);
            }
            Runtime.getRuntime().halt(0);
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private static void serve(SocketChannel client) throws IOException {
        DataInputStream in = new DataInputStream(Channels.newInputStream(client));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(client));
        List<String> words = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            words.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        }
        int at = words.indexOf("-cp");
        String program = words.get(at + 2);
        List<String> given = words.subList(at + 3, words.size());
        try {
            Classes classes = new Classes(words.get(at + 1));
            if (program.endsWith(".Replay")) {
                replay(classes, given, out);
            } else {
                observe(classes, given, in, out);
            }
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
        out.flush();
    }

    private static void replay(Classes classes, List<String> given, DataOutputStream answer) throws IOException, ReflectiveOperationException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int code = 0;
        try {
            for (String word : given.subList(4, given.size())) {
                classes.give.invoke(null, word);
            }
            Object target = classes.find.invoke(null, given.get(1), given.get(2), given.get(3));
            String ending;
            try {
                ending = (String) classes.report.invoke(null, target, classes.inputs.invoke(null, target));
            } catch (InvocationTargetException thrown) {
                if (!thrown.getCause().getClass().getSimpleName().equals("NotAllowed")) {
                    throw thrown;
                }
                ending = "refused";
            }
            Files.writeString(Path.of(given.get(0)), ending);
        } catch (InvocationTargetException failed) {
            failed.getCause().printStackTrace();
            code = 1;
        }
        answer.writeInt(code);
        for (ByteArrayOutputStream printed : List.of(out, err)) {
            answer.writeInt(printed.size());
            printed.writeTo(answer);
        }
    }

    private static void observe(Classes classes, List<String> given, DataInputStream in, DataOutputStream out) throws IOException, ReflectiveOperationException {
        Object target = classes.find.invoke(null, given.get(0), given.get(1), given.get(2));
        classes.unseen(Set.copyOf(given.subList(4, given.size())));
        BufferedReader calls = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        out.write("ready\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            String answer = (String) classes.answer.invoke(null, target, call);
            out.write((answer + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    /** The replay program and the user's program, loaded once more. */
    private static final class Classes {
        final Method give;
        final Method find;
        final Method inputs;
        final Method report;
        final Method answer;
        private final ClassLoader loader;

        Classes(String classPath) throws IOException, ReflectiveOperationException {
            List<URL> places = new ArrayList<>();
            for (String place : classPath.split(File.pathSeparator)) {
                places.add(Path.of(place).toAbsolutePath().toUri().toURL());
            }
            loader = new URLClassLoader(places.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
            loader.setDefaultAssertionStatus(true);
            Class<?> target = loader.loadClass("lapidary.replay.Target");
            Class<?> given = loader.loadClass("lapidary.replay.Inputs");
            give = opened(given.getDeclaredMethod("give", String.class));
            inputs = opened(given.getDeclaredMethod("of", target));
            find = opened(target.getDeclaredMethod("find", String.class, String.class, String.class));
            report = opened(loader.loadClass("lapidary.replay.Report").getDeclaredMethod("of", target, Object[].class));
            answer = opened(loader.loadClass("lapidary.replay.Observer").getDeclaredMethod("answer", target, String.class));
        }

        void unseen(Set<String> fields) throws ReflectiveOperationException {
            var field = loader.loadClass("lapidary.replay.Contents").getDeclaredField("unseen");
            field.setAccessible(true);
            field.set(null, fields);
        }

        private static Method opened(Method method) {
            method.setAccessible(true);
            return method;
        }
    }
}
