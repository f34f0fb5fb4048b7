package lapidary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import pascal.taie.Main;
import pascal.taie.World;
import pascal.taie.analysis.graph.callgraph.CallGraph;
import pascal.taie.analysis.graph.callgraph.CallGraphBuilder;
import pascal.taie.ir.stmt.Invoke;
import pascal.taie.language.classes.JMethod;
import pascal.taie.language.type.Type;

/**
 * Writes the methods that Tai-e's context-insensitive analysis finds reachable from a main class,
 * one per line.
 */
public final class Reachable {
    private static final Map<String, String> PRIMITIVES = Map.of("void", "V", "boolean", "Z", "byte", "B", "char", "C",
            "short", "S", "int", "I", "long", "J", "float", "F", "double", "D");

    public static void main(String[] arguments) throws IOException {
        Path scratch = Files.createTempDirectory("taie");
        Main.main("-pp", "-ap", "-cp", arguments[0], "-m", arguments[1], "--output-dir", scratch.toString(),
                "-a", "pta=cs:ci;only-app:false;reflection-inference:null", "-a", "cg=algorithm:pta");
        CallGraph<Invoke, JMethod> graph = World.get().getResult(CallGraphBuilder.ID);
        TreeSet<String> lines = new TreeSet<>();
        graph.reachableMethods().forEach(method -> lines.add(name(method)));
        Files.write(Path.of(arguments[2]), lines);
    }

    private static String name(JMethod method) {
        StringBuilder descriptor = new StringBuilder("(");
        for (Type parameter : method.getParamTypes()) {
            descriptor.append(descriptor(parameter.getName()));
        }
        descriptor.append(')').append(descriptor(method.getReturnType().getName()));
        return method.getDeclaringClass().getName().replace('.', '/') + "." + method.getName() + ":" + descriptor;
    }

    private static String descriptor(String type) {
        if (type.endsWith("[]")) {
            return "[" + descriptor(type.substring(0, type.length() - 2));
        }
        String primitive = PRIMITIVES.get(type);
        return primitive != null ? primitive : "L" + type.replace('.', '/') + ";";
    }
}
