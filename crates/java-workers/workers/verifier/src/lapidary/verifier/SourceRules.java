package lapidary.verifier;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import lapidary.verifier.ClassFile.Attribute;
import lapidary.verifier.ClassFile.Member;
import lapidary.verifier.Resolution.Found;

/**
 * Rules of the source language that the JVM checks only when a method is called, or never: concrete
 * classes with abstract methods, and lambdas for interfaces without the method they implement.
 */
final class SourceRules {
    private static final String LAMBDA_FACTORY = "java/lang/invoke/LambdaMetafactory";

    private final Universe universe;
    private final Resolution resolution;
    private final ClassFile file;
    private final Consumer<Problem> report;

    SourceRules(Universe universe, ClassFile file, Consumer<Problem> report) {
        this.universe = universe;
        this.resolution = new Resolution(universe);
        this.file = file;
        this.report = report;
    }

    void check() {
        boolean isConcrete = !file.is(ClassFile.ABSTRACT) && !file.isInterface();
        boolean isHierarchyKnown = universe.ancestors(file).missing() == null;
        if (isConcrete && isHierarchyKnown) {
            checkAbstractMethods();
        }
        checkLambdas();
    }

    private void checkAbstractMethods() {
        Set<String> judged = new LinkedHashSet<>();
        checkAbstractMethodsOf(file, judged);
        universe.ancestors(file).classes().forEach(superclass -> checkAbstractMethodsOf(superclass, judged));
        universe.ancestors(file).interfaces().forEach(superinterface -> checkAbstractMethodsOf(superinterface, judged));
    }

    private void checkAbstractMethodsOf(ClassFile ancestor, Set<String> judged) {
        if (!ancestor.is(ClassFile.ABSTRACT) && ancestor != file) {
            return;
        }
        for (Member method : ancestor.methods) {
            if (!method.is(ClassFile.ABSTRACT) || !judged.add(method.key())) {
                continue;
            }
            Found selected = resolution.select(file, method.key());
            if (selected == null || selected.member().is(ClassFile.ABSTRACT)) {
                report.accept(Problem.source(file.name, "abstract method not implemented: " + ancestor.name + "." + method.key()));
            }
        }
    }

    private void checkLambdas() {
        Attribute bootstraps = file.attribute("BootstrapMethods");
        if (bootstraps == null) {
            return;
        }
        int[] starts = bootstrapStarts(bootstraps.start());
        for (int constant = 1; constant < file.pool.count(); constant++) {
            if (file.pool.tag(constant) == ConstantPool.INVOKE_DYNAMIC) {
                checkLambda(constant, starts[file.pool.bootstrapIndex(constant)]);
            }
        }
    }

    /** The start of each bootstrap method; their lengths depend on their arguments. */
    private int[] bootstrapStarts(int attributeStart) {
        int[] starts = new int[Bytes.u2(file.bytes, attributeStart)];
        int at = attributeStart + 2;
        for (int i = 0; i < starts.length; i++) {
            starts[i] = at;
            at += 4 + 2 * Bytes.u2(file.bytes, at + 2);
        }
        return starts;
    }

    private void checkLambda(int constant, int bootstrapStart) {
        String factory = file.pool.handleMember(Bytes.u2(file.bytes, bootstrapStart)).owner();
        String descriptor = file.pool.dynamicDescriptor(constant);
        String result = descriptor.substring(descriptor.indexOf(')') + 1);
        if (!factory.equals(LAMBDA_FACTORY) || !result.startsWith("L")) {
            return;
        }
        ClassFile target = universe.find(result.substring(1, result.length() - 1));
        String erasedType = file.pool.text(Bytes.u2(file.bytes, bootstrapStart + 4));
        String key = file.pool.dynamicName(constant) + erasedType;
        if (target != null && universe.ancestors(target).missing() == null && !declaresAbstract(target, key)) {
            report.accept(Problem.source(file.name, "lambda for a method that is not abstract: " + target.name + "." + key));
        }
    }

    private boolean declaresAbstract(ClassFile target, String key) {
        Member declared = target.method(key);
        return declared != null && declared.is(ClassFile.ABSTRACT)
                || universe.ancestors(target).interfaces().stream()
                        .map(superinterface -> superinterface.method(key))
                        .anyMatch(method -> method != null && method.is(ClassFile.ABSTRACT));
    }
}
