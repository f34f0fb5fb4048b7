package lapidary.verifier;

import lapidary.verifier.ConstantPool.MemberReference;
import lapidary.verifier.Resolution.Found;

/**
 * Checks one use of a constant by one instruction: it resolves, is accessible from here, and suits
 * the instruction.
 */
final class Uses {
    private static final String CHANGED = "IncompatibleClassChangeError: ";
    private static final int FIRST_VERSION_WITH_STRICT_FINAL = 53;

    /**
     * The instruction that each kind of method handle corresponds to (JVMS §5.4.3.5); the kinds
     * count from 1.
     */
    private static final int[] OPCODE_BY_HANDLE_KIND = {
        0, Instructions.GETFIELD, Instructions.GETSTATIC, Instructions.PUTFIELD, Instructions.PUTSTATIC,
        Instructions.INVOKEVIRTUAL, Instructions.INVOKESTATIC, Instructions.INVOKESPECIAL, Instructions.NEW,
        Instructions.INVOKEINTERFACE
    };

    private final ClassFile file;
    private final Universe universe;
    private final Resolution resolution;
    private final Access access;

    Uses(Universe universe, ClassFile file) {
        this.file = file;
        this.universe = universe;
        this.resolution = new Resolution(universe);
        this.access = new Access(universe);
    }

    /**
     * Checks a use. Opcode 0 stands for a use outside of instructions: a caught class, a bootstrap
     * method.
     */
    void check(int opcode, int constant) throws LinkFailure {
        switch (file.pool.tag(constant)) {
            case ConstantPool.CLASS -> checkClass(opcode, file.pool.className(constant));
            case ConstantPool.FIELD, ConstantPool.METHOD, ConstantPool.INTERFACE_METHOD ->
                checkMember(opcode, file.pool.member(constant));
            case ConstantPool.METHOD_HANDLE -> checkHandle(file.pool.handleKind(constant), file.pool.handleMember(constant));
            case ConstantPool.METHOD_TYPE -> checkDescriptor(file.pool.text(constant));
            case ConstantPool.DYNAMIC, ConstantPool.INVOKE_DYNAMIC ->
                checkDescriptor(file.pool.dynamicDescriptor(constant));
            default -> { }
        }
    }

    /** Whether a resolved field is final and this method may not set it. */
    boolean writesForeignFinalField(int opcode, int constant, String where) {
        Found found;
        try {
            found = resolution.resolve(file.pool.member(constant));
        } catch (LinkFailure alreadyReported) {
            return false;
        }
        if (!found.member().is(ClassFile.FINAL)) {
            return false;
        }
        String initializer = file.name + (opcode == Instructions.PUTSTATIC ? ".<clinit>" : ".<init>");
        return found.owner() != file
                || file.majorVersion >= FIRST_VERSION_WITH_STRICT_FINAL && !where.startsWith(initializer);
    }

    private void checkClass(int opcode, String name) throws LinkFailure {
        ClassFile resolved = resolution.resolveClass(name);
        access.checkClass(file, name);
        if (opcode == Instructions.NEW && (resolved.is(ClassFile.ABSTRACT) || resolved.isInterface())) {
            throw new LinkFailure("InstantiationError", name);
        }
    }

    private void checkDescriptor(String descriptor) throws LinkFailure {
        String[] missing = new String[1];
        Names.inDescriptor(descriptor, name -> missing[0] = universe.exists(name) ? missing[0] : name);
        if (missing[0] != null) {
            throw new LinkFailure(Problem.missing(missing[0]));
        }
    }

    private void checkHandle(int kind, MemberReference reference) throws LinkFailure {
        if (kind < 1 || kind >= OPCODE_BY_HANDLE_KIND.length) {
            throw new MalformedClassException("method handle of kind " + kind);
        }
        int opcode = OPCODE_BY_HANDLE_KIND[kind];
        if (opcode == Instructions.NEW) {
            checkClass(opcode, reference.owner());
            checkMember(Instructions.INVOKESPECIAL, reference);
        } else {
            checkMember(opcode, reference);
        }
    }

    private void checkMember(int opcode, MemberReference reference) throws LinkFailure {
        Found found = resolution.resolve(reference);
        access.checkClass(file, reference.owner());
        access.checkMember(file, reference, found);
        checkStatic(opcode, reference, found);
        if (opcode == Instructions.INVOKESPECIAL) {
            checkSpecial(reference, found);
        } else if (opcode == Instructions.INVOKESTATIC && found.member().is(ClassFile.ABSTRACT)) {
            throw new LinkFailure("AbstractMethodError", reference);
        }
    }

    private static void checkStatic(int opcode, MemberReference reference, Found found) throws LinkFailure {
        boolean isStatic = found.member().is(ClassFile.STATIC);
        boolean wantsStatic = opcode == Instructions.GETSTATIC || opcode == Instructions.PUTSTATIC
                || opcode == Instructions.INVOKESTATIC;
        if (isStatic != wantsStatic) {
            throw new LinkFailure(CHANGED + (isStatic ? "static" : "not static"), reference);
        }
    }

    /**
     * Checks `invokespecial`: a constructor is never inherited, and a super call needs a body to
     * run.
     */
    private void checkSpecial(MemberReference reference, Found found) throws LinkFailure {
        if (reference.name().equals("<init>")) {
            if (!found.owner().name.equals(reference.owner())) {
                throw new LinkFailure("NoSuchMethodError", reference);
            }
            return;
        }
        ClassFile superclass = file.superName == null ? null : universe.find(file.superName);
        boolean selectsItself = superclass == null || found.owner().isInterface() || reference.owner().equals(file.name);
        Found selected = selectsItself ? found : resolution.select(superclass, reference.key());
        if (selected != null && selected.member().is(ClassFile.ABSTRACT)) {
            throw new LinkFailure("AbstractMethodError", reference);
        }
    }
}
