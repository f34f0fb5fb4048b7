package lapidary;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.opalj.br.DeclaredMethod;
import org.opalj.br.analyses.Project;
import org.opalj.br.analyses.Project$;
import org.opalj.br.fpcf.properties.Context;
import org.opalj.log.GlobalLogContext$;
import org.opalj.tac.cg.RTACallGraphKey$;
import scala.collection.Iterator;

/**
 * Writes the methods that OPAL's rapid type analysis finds reachable from a main class, one per
 * line.
 */
public final class Reachable {
    private static final String CONFIGURATION = """
            org.opalj.br.analyses.cg.InitialEntryPointsKey {
              analysis = "org.opalj.br.analyses.cg.ConfigurationEntryPointsFinder"
              entryPoints = [
                {declaringClass = "%s", name = "main", descriptor = "([Ljava/lang/String;)V"},
                {declaringClass = "java/lang/System", name = "initPhase1"},
                {declaringClass = "java/lang/System", name = "initPhase2"},
                {declaringClass = "java/lang/System", name = "initPhase3"},
                {declaringClass = "java/lang/Thread", name = "<init>", descriptor = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"},
                {declaringClass = "java/lang/Thread", name = "exit", descriptor = "()V"},
                {declaringClass = "java/lang/Thread", name = "dispatchUncaughtException"},
                {declaringClass = "java/lang/Shutdown", name = "shutdown"},
                {declaringClass = "java/lang/ref/Finalizer$FinalizerThread", name = "run", descriptor = "()V"},
                {declaringClass = "java/lang/ref/Reference$ReferenceHandler", name = "run", descriptor = "()V"}
              ]
            }
            """;

    public static void main(String[] arguments) throws IOException {
        List<File> files = new ArrayList<>();
        for (String path : arguments[0].split(File.pathSeparator)) {
            files.add(new File(path));
        }
        File library = Library.jar(files);
        files.add(library);
        Config entries = ConfigFactory.parseString(String.format(CONFIGURATION, arguments[1].replace('.', '/')));
        // OPAL does not read the image of a JDK, and classes passed as a library would have no
        // bodies.
        Project<URL> project = Project$.MODULE$.apply(files.toArray(File[]::new), new File[0], GlobalLogContext$.MODULE$,
                entries.withFallback(ConfigFactory.load()));
        Iterator<Context> reachable = project.get(RTACallGraphKey$.MODULE$).reachableMethods();
        TreeSet<String> lines = new TreeSet<>();
        while (reachable.hasNext()) {
            DeclaredMethod method = reachable.next().method();
            if (!isMadeUp(method)) {
                lines.add(name(method));
            }
        }
        Files.write(Path.of(arguments[2]), lines);
        library.delete();
    }

    /**
     * Whether a method is one that OPAL writes in place of an `invokedynamic`; it has a descriptor
     * in its name.
     */
    private static boolean isMadeUp(DeclaredMethod method) {
        return (method.declaringClassType().fqn() + method.name()).contains("(");
    }

    private static String name(DeclaredMethod method) {
        return method.declaringClassType().fqn() + "." + method.name() + ":" + method.descriptor().toJVMDescriptor();
    }
}
