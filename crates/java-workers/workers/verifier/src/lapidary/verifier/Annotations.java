package lapidary.verifier;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import lapidary.verifier.ClassFile.Attribute;
import lapidary.verifier.ClassFile.Member;

/**
 * Checks annotations against the classes they name, by parsing them.
 *
 * Reflection would run code of candidates, because it initialises the enums that annotations
 * mention. The JVM tolerates every problem found here until a program asks for the annotation.
 * Therefore all of them are reported as what a compiler would reject; only bytes that are not an
 * annotation at all are an error of the class file.
 */
final class Annotations {
    private final Universe universe;
    private final ClassFile file;
    private final Consumer<String> report;
    private int at;

    Annotations(Universe universe, ClassFile file, Consumer<String> report) {
        this.universe = universe;
        this.file = file;
        this.report = report;
    }

    /** Checks an attribute if it holds annotations. */
    void check(Attribute attribute) {
        at = attribute.start();
        switch (attribute.name()) {
            case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations" -> repeat(u2(), this::annotation);
            case "RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations" ->
                repeat(u1(), () -> repeat(u2(), this::annotation));
            case "RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations" ->
                repeat(u2(), this::typeAnnotation);
            case "AnnotationDefault" -> value();
            default -> {
                return;
            }
        }
        if (at != attribute.end()) {
            throw new MalformedClassException(attribute.name() + " does not end where it should");
        }
    }

    private static void repeat(int count, Runnable read) {
        for (int i = 0; i < count; i++) {
            read.run();
        }
    }

    private void typeAnnotation() {
        int targetType = u1();
        at += targetLength(targetType);
        int pathLength = u1();
        at += 2 * pathLength;
        annotation();
    }

    private int targetLength(int targetType) {
        return switch (targetType) {
            case 0x00, 0x01, 0x16 -> 1;
            case 0x10, 0x11, 0x12, 0x17, 0x42, 0x43, 0x44, 0x45, 0x46 -> 2;
            case 0x13, 0x14, 0x15 -> 0;
            case 0x40, 0x41 -> 2 + 6 * Bytes.u2(file.bytes, at);
            case 0x47, 0x48, 0x49, 0x4a, 0x4b -> 3;
            default -> throw new MalformedClassException("type annotation with target " + targetType);
        };
    }

    private void annotation() {
        String type = classOf(utf8());
        ClassFile declaration = type == null ? null : universe.find(type);
        Set<String> given = new HashSet<>();
        int count = u2();
        for (int i = 0; i < count; i++) {
            String element = utf8();
            given.add(element);
            if (declaration != null && declaration.methods.stream().noneMatch(m -> m.name().equals(element))) {
                report.accept("annotation " + type + " has no element " + element);
            }
            value();
        }
        if (declaration != null) {
            declaration.methods.stream()
                    .filter(element -> isRequired(element) && !given.contains(element.name()))
                    .forEach(element -> report.accept("annotation " + type + " lacks element " + element.name()));
        }
    }

    private static boolean isRequired(Member element) {
        return element.is(ClassFile.ABSTRACT) && ClassFile.find(element.attributes(), "AnnotationDefault") == null;
    }

    private void value() {
        char tag = (char) u1();
        switch (tag) {
            case 'e' -> enumConstant(utf8(), utf8());
            case 'c' -> Names.inDescriptor(utf8(), this::existing);
            case '@' -> annotation();
            case '[' -> repeat(u2(), this::value);
            default -> {
                if ("BCDFIJSZs".indexOf(tag) < 0) {
                    throw new MalformedClassException("annotation value with tag " + tag);
                }
                at += 2;
            }
        }
    }

    private void enumConstant(String descriptor, String constant) {
        String type = classOf(descriptor);
        ClassFile declaration = type == null ? null : universe.find(type);
        if (declaration != null && declaration.field(ClassFile.key(constant, descriptor)) == null) {
            report.accept("annotation names missing constant " + type + "." + constant);
        }
    }

    /** The class of a descriptor; it is reported if it does not exist. */
    private String classOf(String descriptor) {
        Names.inDescriptor(descriptor, this::existing);
        return descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1) : null;
    }

    private void existing(String name) {
        if (!universe.exists(name)) {
            report.accept("annotation: " + Problem.missing(name));
        }
    }

    private String utf8() {
        return file.pool.utf8(u2());
    }

    private int u1() {
        return Bytes.u1(file.bytes, at++);
    }

    private int u2() {
        at += 2;
        return Bytes.u2(file.bytes, at - 2);
    }
}
