package lapidary;

import com.ibm.wala.classLoader.IMethod;
import com.ibm.wala.classLoader.Language;
import com.ibm.wala.core.util.config.AnalysisScopeReader;
import com.ibm.wala.ipa.callgraph.AnalysisCacheImpl;
import com.ibm.wala.ipa.callgraph.AnalysisOptions;
import com.ibm.wala.ipa.callgraph.AnalysisScope;
import com.ibm.wala.ipa.callgraph.CGNode;
import com.ibm.wala.ipa.callgraph.CallGraph;
import com.ibm.wala.ipa.callgraph.Entrypoint;
import com.ibm.wala.ipa.callgraph.impl.Util;
import com.ibm.wala.ipa.cha.ClassHierarchyFactory;
import com.ibm.wala.ipa.cha.IClassHierarchy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;

/**
 * Writes the methods that WALA's 0-CFA finds reachable from a main class, one per line. Nothing is
 * excluded, and reflection is not followed.
 */
public final class Reachable {
    public static void main(String[] arguments) throws Exception {
        AnalysisScope scope = AnalysisScopeReader.instance.makeJavaBinaryAnalysisScope(arguments[0], null);
        IClassHierarchy hierarchy = ClassHierarchyFactory.makeWithRoot(scope);
        Iterable<Entrypoint> entries = Util.makeMainEntrypoints(hierarchy, "L" + arguments[1].replace('.', '/'));
        AnalysisOptions options = new AnalysisOptions(scope, entries);
        options.setReflectionOptions(AnalysisOptions.ReflectionOptions.NONE);
        CallGraph graph = Util.makeZeroCFABuilder(Language.JAVA, options, new AnalysisCacheImpl(), hierarchy)
                .makeCallGraph(options, null);
        TreeSet<String> lines = new TreeSet<>();
        for (CGNode node : graph) {
            lines.add(name(node.getMethod()));
        }
        Files.write(Path.of(arguments[2]), lines);
    }

    private static String name(IMethod method) {
        String owner = method.getDeclaringClass().getName().toString().substring(1);
        return owner + "." + method.getName() + ":" + method.getDescriptor();
    }
}
