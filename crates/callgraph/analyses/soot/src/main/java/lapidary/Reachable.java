package lapidary;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.TreeSet;
import soot.AbstractJasminClass;
import soot.MethodOrMethodContext;
import soot.PackManager;
import soot.Scene;
import soot.SootClass;
import soot.SootMethod;
import soot.options.Options;

/** Writes the methods that Soot's Spark finds reachable from a main class, one per line. */
public final class Reachable {
    public static void main(String[] arguments) throws IOException {
        String classPath = arguments[0], main = arguments[1];
        Options options = Options.v();
        options.set_whole_program(true);
        options.set_allow_phantom_refs(true);
        options.set_output_format(Options.output_format_none);
        options.set_soot_classpath("VIRTUAL_FS_FOR_JDK" + File.pathSeparator + classPath);
        // Soot uses class hierarchy analysis unless it is disabled.
        options.setPhaseOption("cg.cha", "enabled:false");
        options.setPhaseOption("cg.spark", "enabled:true");
        options.set_main_class(main);
        SootClass mainClass = Scene.v().loadClassAndSupport(main);
        mainClass.setApplicationClass();
        Scene.v().loadNecessaryClasses();
        Scene.v().setMainClass(mainClass);
        PackManager.v().getPack("cg").apply();
        TreeSet<String> lines = new TreeSet<>();
        for (Iterator<MethodOrMethodContext> methods = Scene.v().getReachableMethods().listener(); methods.hasNext();) {
            lines.add(name(methods.next().method()));
        }
        Files.write(Path.of(arguments[2]), lines);
    }

    private static String name(SootMethod method) {
        String owner = method.getDeclaringClass().getName().replace('.', '/');
        return owner + "." + method.getName() + ":" + AbstractJasminClass.jasminDescriptorOf(method.makeRef());
    }
}
