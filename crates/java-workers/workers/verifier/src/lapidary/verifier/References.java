package lapidary.verifier;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import lapidary.verifier.ClassFile.Attribute;
import lapidary.verifier.ClassFile.Member;
import lapidary.verifier.ConstantPool.MemberReference;

/**
 * Resolves every reference in one class file: those of its code, its constants, its members' types
 * and its attributes.
 */
final class References {
    private final Universe universe;
    private final Uses uses;
    private final ClassFile file;
    private final Consumer<Problem> report;
    private final BitSet classesSeenInCode = new BitSet();
    private final Map<Long, String> failuresByUse = new HashMap<>();

    private static final String RESOLVES = "";

    References(Universe universe, ClassFile file, Consumer<Problem> report) {
        this.universe = universe;
        this.uses = new Uses(universe, file);
        this.file = file;
        this.report = report;
    }

    void check() {
        for (Member field : file.fields) {
            checkMember(field);
        }
        for (Member method : file.methods) {
            checkMember(method);
            Attribute code = ClassFile.find(method.attributes(), "Code");
            if (code != null) {
                checkCode(where(method), code.start());
            }
        }
        checkConstants();
        checkAttributes(file.name, file.attributes);
        checkRecordComponents();
        checkEnclosingMethod();
        checkNest();
    }

    private String where(Member member) {
        return file.name + "." + member.key();
    }

    private void checkMember(Member member) {
        String where = where(member);
        Names.inDescriptor(member.descriptor(), name -> requireClass(where, "", name));
        checkAttributes(where, member.attributes());
    }

    private void checkCode(String where, int codeStart) {
        Instructions.visit(file.bytes, codeStart, (opcode, constant) -> checkUse(where, opcode, constant));
        int attributesStart = Instructions.visitCaughtClasses(file.bytes, codeStart, constant -> checkUse(where, 0, constant));
        for (Attribute attribute : file.attributesAt(attributesStart)) {
            checkLocalVariables(where, attribute);
            checkAnnotations(where, attribute);
        }
    }

    /**
     * Checks a use of a constant. A constant used in the same way fails in the same way everywhere
     * in a class, so it is resolved once.
     */
    private void checkUse(String where, int opcode, int constant) {
        if (file.pool.tag(constant) == ConstantPool.CLASS) {
            classesSeenInCode.set(constant);
        }
        String failure = failuresByUse.computeIfAbsent((long) opcode << 32 | constant, use -> {
            try {
                uses.check(opcode, constant);
                return RESOLVES;
            } catch (LinkFailure found) {
                return found.getMessage();
            }
        });
        boolean isFinalFieldWrite = opcode == Instructions.PUTFIELD || opcode == Instructions.PUTSTATIC;
        if (!failure.equals(RESOLVES)) {
            report.accept(Problem.jvm(where, failure));
        } else if (isFinalFieldWrite && uses.writesForeignFinalField(opcode, constant, where)) {
            report.accept(Problem.jvm(where, "IllegalAccessError: write to final field " + file.pool.member(constant)));
        }
    }

    /** Checks constants that no instruction names; attributes or bootstrap methods name them. */
    private void checkConstants() {
        for (int constant = 1; constant < file.pool.count(); constant++) {
            switch (file.pool.tag(constant)) {
                case ConstantPool.CLASS -> {
                    if (!classesSeenInCode.get(constant)) {
                        String element = Names.elementClass(file.pool.className(constant));
                        if (element != null) {
                            requireClass(file.name, "", element);
                        }
                    }
                }
                case ConstantPool.METHOD_HANDLE -> checkUse(file.name, 0, constant);
                case ConstantPool.METHOD_TYPE ->
                    Names.inDescriptor(file.pool.text(constant), name -> requireClass(file.name, "", name));
                case ConstantPool.DYNAMIC, ConstantPool.INVOKE_DYNAMIC ->
                    Names.inDescriptor(file.pool.dynamicDescriptor(constant), name -> requireClass(file.name, "", name));
                default -> { }
            }
        }
    }

    private void checkAttributes(String where, List<Attribute> attributes) {
        for (Attribute attribute : attributes) {
            if (attribute.name().equals("Signature")) {
                String signature = file.pool.utf8(Bytes.u2(file.bytes, attribute.start()));
                SignatureNames.visit(signature, name -> requireClass(where, "signature: ", name));
            }
            checkAnnotations(where, attribute);
        }
    }

    private void checkAnnotations(String where, Attribute attribute) {
        if (attribute.name().endsWith("Annotations") || attribute.name().equals("AnnotationDefault")) {
            new Annotations(universe, file, what -> report.accept(Problem.source(where, what))).check(attribute);
        }
    }

    /**
     * Checks debug information. It does not affect the JVM, but a decompiler takes the types of
     * variables from it.
     */
    private void checkLocalVariables(String where, Attribute attribute) {
        boolean isGeneric = attribute.name().equals("LocalVariableTypeTable");
        if (!isGeneric && !attribute.name().equals("LocalVariableTable")) {
            return;
        }
        int count = Bytes.u2(file.bytes, attribute.start());
        for (int i = 0; i < count; i++) {
            String type = file.pool.utf8(Bytes.u2(file.bytes, attribute.start() + 2 + 10 * i + 6));
            SignatureNames.visit(type, name -> {
                if (!universe.exists(name)) {
                    report.accept(Problem.source(where, "local variable: " + Problem.missing(name)));
                }
            });
        }
    }

    private void checkRecordComponents() {
        Attribute record = file.attribute("Record");
        if (record == null) {
            return;
        }
        int count = Bytes.u2(file.bytes, record.start());
        int at = record.start() + 2;
        for (int i = 0; i < count; i++) {
            String name = file.pool.utf8(Bytes.u2(file.bytes, at));
            String descriptor = file.pool.utf8(Bytes.u2(file.bytes, at + 2));
            List<Attribute> attributes = file.attributesAt(at + 4);
            String where = file.name + "." + name;
            Names.inDescriptor(descriptor, each -> requireClass(where, "record component: ", each));
            checkAttributes(where, attributes);
            if (file.method(name + "()" + descriptor) == null || file.field(ClassFile.key(name, descriptor)) == null) {
                report.accept(Problem.source(where, "record component without its field or accessor"));
            }
            at = attributes.isEmpty() ? at + 6 : attributes.get(attributes.size() - 1).end();
        }
    }

    private void checkEnclosingMethod() {
        Attribute enclosing = file.attribute("EnclosingMethod");
        if (enclosing == null || Bytes.u2(file.bytes, enclosing.start() + 2) == 0) {
            return;
        }
        ClassFile outer = universe.find(file.pool.className(Bytes.u2(file.bytes, enclosing.start())));
        String key = file.pool.nameAndTypeKey(Bytes.u2(file.bytes, enclosing.start() + 2));
        if (outer != null && outer.method(key) == null) {
            report.accept(Problem.jvm(file.name, "InternalError: enclosing method not found: " + outer.name + "." + key));
        }
    }

    /**
     * Checks that both sides declare a nest. The JVM notices only when a private member is used
     * across it.
     */
    private void checkNest() {
        ClassFile host = universe.find(file.nestHost());
        if (host != null && host != file && !host.listedClasses("NestMembers").contains(file.name)) {
            report.accept(Problem.jvm(file.name, "IncompatibleClassChangeError: not listed by its nest host " + host.name));
        }
        for (String member : file.listedClasses("NestMembers")) {
            ClassFile listed = universe.find(member);
            if (listed != null && !listed.nestHost().equals(file.name)) {
                report.accept(Problem.jvm(file.name, "IncompatibleClassChangeError: other nest host in its member " + member));
            }
        }
    }

    private void requireClass(String where, String role, String name) {
        if (!universe.exists(name)) {
            report.accept(Problem.jvm(where, role + Problem.missing(name)));
        }
    }
}
