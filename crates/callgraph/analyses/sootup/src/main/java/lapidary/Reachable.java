package lapidary;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import sootup.callgraph.CallGraph;
import sootup.callgraph.RapidTypeAnalysisAlgorithm;
import sootup.core.inputlocation.AnalysisInputLocation;
import sootup.core.model.SourceType;
import sootup.core.signatures.MethodSignature;
import sootup.core.types.Type;
import sootup.java.bytecode.frontend.inputlocation.JavaClassPathAnalysisInputLocation;
import sootup.java.core.views.JavaView;

/**
 * Writes the methods that SootUp's rapid type analysis finds reachable from a main class, one per
 * line.
 */
public final class Reachable {
    private static final Map<String, String> PRIMITIVES = Map.of("void", "V", "boolean", "Z", "byte", "B", "char", "C",
            "short", "S", "int", "I", "long", "J", "float", "F", "double", "D");

    public static void main(String[] arguments) throws IOException {
        List<AnalysisInputLocation> inputs = new ArrayList<>();
        List<File> files = new ArrayList<>();
        for (String path : arguments[0].split(File.pathSeparator)) {
            inputs.add(new JavaClassPathAnalysisInputLocation(path));
            files.add(new File(path));
        }
        // A library would not be followed. Bodies are read without transformations, which changes
        // no call and saves memory.
        File library = Library.jar(files);
        inputs.add(new JavaClassPathAnalysisInputLocation(library.getPath(), SourceType.Application, List.of()));
        JavaView view = new JavaView(inputs);
        MethodSignature main = view.getIdentifierFactory().getMethodSignature(
                view.getIdentifierFactory().getClassType(arguments[1]), "main", "void", List.of("java.lang.String[]"));
        CallGraph graph = new RapidTypeAnalysisAlgorithm(view).initialize(List.of(main));
        TreeSet<String> lines = new TreeSet<>();
        for (MethodSignature method : graph.getMethodSignatures()) {
            lines.add(name(method));
        }
        Files.write(Path.of(arguments[2]), lines);
        library.delete();
    }

    private static String name(MethodSignature method) {
        StringBuilder descriptor = new StringBuilder("(");
        for (Type parameter : method.getParameterTypes()) {
            descriptor.append(descriptor(parameter.toString()));
        }
        descriptor.append(')').append(descriptor(method.getType().toString()));
        String owner = method.getDeclClassType().getFullyQualifiedName().replace('.', '/');
        return owner + "." + method.getName() + ":" + descriptor;
    }

    private static String descriptor(String type) {
        if (type.endsWith("[]")) {
            return "[" + descriptor(type.substring(0, type.length() - 2));
        }
        String primitive = PRIMITIVES.get(type);
        return primitive != null ? primitive : "L" + type.replace('.', '/') + ";";
    }
}
