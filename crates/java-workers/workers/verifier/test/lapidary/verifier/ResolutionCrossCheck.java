package lapidary.verifier;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import lapidary.verifier.ClassFile.Attribute;
import lapidary.verifier.ClassFile.Member;
import lapidary.verifier.ConstantPool.MemberReference;

/**
 * Compares this program's resolution with that of the JVM, reference by reference, on a jar and on
 * damaged copies of it.
 *
 * The JVM resolves when a method handle is looked up on behalf of the class that holds the
 * reference. The damage is random: members get other flags or the name of another member, so that
 * references fail to resolve in many different ways. Arguments: ROUNDS JAR [LIBRARY...]. Prints the
 * disagreements and fails if there are any.
 */
final class ResolutionCrossCheck {
    private static final int[] FLAGS = {
        ClassFile.PUBLIC, ClassFile.PRIVATE, ClassFile.PROTECTED, ClassFile.STATIC, ClassFile.FINAL
    };

    private final Libraries libraries;
    private int resolving;
    private int failing;
    private int undecided;
    private int disagreements;

    /** The outcome in the JVM. It is undecided if a class on the way cannot be linked. */
    private enum Outcome { RESOLVES, FAILS, UNDECIDED }

    private ResolutionCrossCheck(Libraries libraries) {
        this.libraries = libraries;
    }

    public static void main(String[] arguments) throws IOException {
        List<Path> libraries = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            libraries.add(Path.of(arguments[i]));
        }
        Map<String, byte[]> classes = Candidate.read(Path.of(arguments[1]), Runtime.version());
        ResolutionCrossCheck check = new ResolutionCrossCheck(new Libraries(libraries));
        check.compare(classes);
        for (int seed = 1; seed <= Integer.parseInt(arguments[0]); seed++) {
            check.compare(damaged(classes, new Random(seed)));
        }
        System.out.printf("%s: %d resolve, %d fail, %d undecided by the JVM, %d disagreements%n",
                arguments[1], check.resolving, check.failing, check.undecided, check.disagreements);
        System.exit(check.disagreements == 0 ? 0 : 1);
    }

    private void compare(Map<String, byte[]> classes) {
        Universe universe = new Universe(classes, libraries);
        CandidateLoader loader = new CandidateLoader(classes, libraries);
        for (ClassFile file : universe.own().values()) {
            try {
                Class<?> type = Class.forName(Names.dotted(file.name), false, loader);
                Class.forName(Names.dotted(file.nestHost()), false, loader);
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
                compareReferences(file, new Uses(universe, file), universe, lookup);
            } catch (ReflectiveOperationException | LinkageError notLoadable) {
                undecided++;
            }
        }
    }

    private void compareReferences(ClassFile file, Uses uses, Universe universe, MethodHandles.Lookup lookup) {
        Map<Integer, Integer> opcodeByConstant = new TreeMap<>();
        for (Member method : file.methods) {
            Attribute code = ClassFile.find(method.attributes(), "Code");
            if (code != null) {
                Instructions.visit(file.bytes, code.start(), (opcode, constant) -> opcodeByConstant.put(constant, opcode));
            }
        }
        opcodeByConstant.forEach((constant, opcode) -> {
            boolean isMember = opcode >= Instructions.GETSTATIC && opcode <= Instructions.INVOKEINTERFACE;
            if (isMember && isJudgedByLookup(opcode, file, constant, universe)) {
                compareOne(file, uses, opcode, constant, lookup);
            }
        });
    }

    /**
     * Whether a lookup can judge a reference. Lookups ignore the tag of a reference, refuse all
     * final fields, and do not support constructor calls by a subclass.
     */
    private static boolean isJudgedByLookup(int opcode, ClassFile file, int constant, Universe universe) {
        MemberReference reference = file.pool.member(constant);
        ClassFile owner = universe.find(reference.owner());
        boolean isWrite = opcode == Instructions.PUTFIELD || opcode == Instructions.PUTSTATIC;
        boolean isSuperConstructor = reference.name().equals("<init>")
                && (reference.owner().equals(file.superName) || reference.owner().equals(file.name));
        boolean isTagRight = owner == null || reference.tag() == ConstantPool.FIELD
                || owner.isInterface() == (reference.tag() == ConstantPool.INTERFACE_METHOD);
        return !isWrite && !isSuperConstructor && isTagRight;
    }

    private void compareOne(ClassFile file, Uses uses, int opcode, int constant, MethodHandles.Lookup lookup) {
        MemberReference reference = file.pool.member(constant);
        String[] reason = new String[1];
        Outcome theirs = outcome(opcode, reference, lookup, reason);
        if (theirs == Outcome.UNDECIDED) {
            undecided++;
            return;
        }
        String ours = failure(uses, opcode, constant);
        if (ours == null) {
            resolving++;
        } else {
            failing++;
        }
        if ((ours == null) != (theirs == Outcome.RESOLVES)) {
            disagreements++;
            System.out.println(file.name + " opcode " + Integer.toHexString(opcode) + " " + reference
                    + "\n    we: " + ours + "\n    the JVM: " + reason[0]);
        }
    }

    private static String failure(Uses uses, int opcode, int constant) {
        try {
            uses.check(opcode, constant);
            return null;
        } catch (LinkFailure failure) {
            return failure.getMessage();
        }
    }

    private static Outcome outcome(int opcode, MemberReference reference, MethodHandles.Lookup lookup, String[] reason) {
        try {
            find(opcode, reference, lookup);
            return Outcome.RESOLVES;
        } catch (NoSuchMethodException | NoSuchFieldException | IllegalAccessException failed) {
            reason[0] = failed + " because of " + failed.getCause();
            Throwable cause = failed.getCause();
            boolean isLinkage = cause instanceof VerifyError || cause instanceof NoClassDefFoundError
                    || cause instanceof ClassFormatError || cause != null && cause.getClass() == LinkageError.class;
            String message = String.valueOf(failed.getMessage());
            boolean isRuleOfLookups = message.contains("caller-sensitive") || message.contains("variable arity");
            return isLinkage || isRuleOfLookups ? Outcome.UNDECIDED : Outcome.FAILS;
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException | IllegalArgumentException noAnswer) {
            return Outcome.UNDECIDED;
        }
    }

    private static void find(int opcode, MemberReference reference, MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        Class<?> here = lookup.lookupClass();
        Class<?> owner = Class.forName(Names.dotted(reference.owner()), false, here.getClassLoader());
        link(owner);
        String name = reference.name();
        boolean isField = reference.tag() == ConstantPool.FIELD;
        MethodType type = MethodType.fromMethodDescriptorString(
                isField ? "()" + reference.descriptor() : reference.descriptor(), here.getClassLoader());
        switch (opcode) {
            case Instructions.GETFIELD -> lookup.findGetter(owner, name, type.returnType());
            case Instructions.GETSTATIC -> lookup.findStaticGetter(owner, name, type.returnType());
            case Instructions.INVOKESTATIC -> lookup.findStatic(owner, name, type);
            case Instructions.INVOKESPECIAL -> findSpecial(owner, name, type, lookup);
            default -> lookup.findVirtual(owner, name, type);
        }
    }

    /**
     * Links a class in advance. A lookup links the class that it searches, and would blame the
     * reference for problems of that class.
     */
    private static void link(Class<?> owner) {
        owner.getDeclaredConstructors();
    }

    /**
     * Looks up a special call. Where an abstract method meets default methods, HotSpot resolves to
     * a method of its own that only throws.
     */
    private static void findSpecial(Class<?> owner, String name, MethodType type, MethodHandles.Lookup lookup)
            throws ReflectiveOperationException {
        if (name.equals("<init>")) {
            lookup.findConstructor(owner, type);
            return;
        }
        MethodHandle handle = lookup.findSpecial(owner, name, type, lookup.lookupClass());
        Class<?> declaring = lookup.revealDirect(handle).getDeclaringClass();
        boolean isGeneratedToThrow = Stream.of(declaring.getDeclaredMethods()).noneMatch(method -> method.getName().equals(name)
                && MethodType.methodType(method.getReturnType(), method.getParameterTypes()).equals(type));
        if (isGeneratedToThrow) {
            throw new NoSuchMethodException("HotSpot put a method here that throws AbstractMethodError: " + declaring + "." + name);
        }
    }

    /** A copy in which every third class has one member with another flag or another name. */
    private static Map<String, byte[]> damaged(Map<String, byte[]> classes, Random random) {
        Map<String, byte[]> copy = new HashMap<>();
        classes.forEach((name, bytes) -> copy.put(name, random.nextInt(3) == 0 ? damaged(bytes.clone(), random) : bytes));
        return new TreeMap<>(copy);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        List<Integer> members = memberOffsets(new ClassFile(bytes));
        if (members.isEmpty()) {
            return bytes;
        }
        int member = members.get(random.nextInt(members.size()));
        int kind = random.nextInt(FLAGS.length + 2);
        if (kind < FLAGS.length) {
            bytes[member + 1] ^= (byte) FLAGS[kind];
        } else if (kind == FLAGS.length) {
            int other = members.get(random.nextInt(members.size()));
            System.arraycopy(bytes, other + 2, bytes, member + 2, 2);
        } else {
            int classFlags = new ClassFile(bytes).pool.end();
            bytes[classFlags + 1] ^= ClassFile.PUBLIC;
        }
        return bytes;
    }

    private static List<Integer> memberOffsets(ClassFile file) {
        List<Integer> offsets = new ArrayList<>();
        int at = file.pool.end() + 8 + 2 * file.interfaces.size();
        for (List<Member> members : List.of(file.fields, file.methods)) {
            at += 2;
            for (Member member : members) {
                offsets.add(at);
                at += 8 + member.attributes().stream().mapToInt(attribute -> 6 + attribute.length()).sum();
            }
        }
        return offsets;
    }
}
