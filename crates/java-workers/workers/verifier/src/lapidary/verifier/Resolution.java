package lapidary.verifier;

import java.util.Set;
import lapidary.verifier.ClassFile.Member;
import lapidary.verifier.ConstantPool.MemberReference;

/** Resolves symbolic references as in JVMS §5.4.3, and fails as the JVM would. */
final class Resolution {
    private static final String OBJECT = "java/lang/Object";
    private static final Set<String> POLYMORPHIC_CLASSES =
            Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");
    private static final String POLYMORPHIC_ARGUMENTS = "([Ljava/lang/Object;)";

    private final Universe universe;

    /** A member and the class that declares it. */
    record Found(ClassFile owner, Member member) {}

    Resolution(Universe universe) {
        this.universe = universe;
    }

    /**
     * The class of this name; for arrays, `Object`, which declares all methods that can be called
     * on them.
     */
    ClassFile resolveClass(String name) throws LinkFailure {
        ClassFile file = universe.find(name.startsWith("[") ? OBJECT : name);
        if (file == null || !universe.exists(name)) {
            throw new LinkFailure(Problem.missing(Names.elementClass(name)));
        }
        return file;
    }

    Found resolve(MemberReference reference) throws LinkFailure {
        ClassFile start = resolveClass(reference.owner());
        switch (reference.tag()) {
            case ConstantPool.FIELD:
                return required(findField(start, reference.key()), start, reference, "NoSuchFieldError");
            case ConstantPool.METHOD:
                if (start.isInterface()) {
                    throw new LinkFailure("IncompatibleClassChangeError: class expected, found interface", reference);
                }
                return required(findMethod(start, reference), start, reference, "NoSuchMethodError");
            default:
                if (!start.isInterface()) {
                    throw new LinkFailure("IncompatibleClassChangeError: interface expected, found class", reference);
                }
                return required(findInterfaceMethod(start, reference.key()), start, reference, "NoSuchMethodError");
        }
    }

    /**
     * The method that a call would select in a class, abstract or concrete, or null (JVMS §5.4.6).
     */
    Found select(ClassFile receiver, String key) {
        Found inherited = findInClasses(receiver, key);
        if (inherited != null && !inherited.member().is(ClassFile.STATIC) && !inherited.member().is(ClassFile.PRIVATE)) {
            return inherited;
        }
        return findInInterfaces(receiver, key);
    }

    private Found required(Found found, ClassFile start, MemberReference reference, String error) throws LinkFailure {
        if (found != null) {
            return found;
        }
        String missing = universe.ancestors(start).missing();
        if (missing != null) {
            throw new LinkFailure(Problem.missing(missing) + " on the way to", reference);
        }
        throw new LinkFailure(error, reference);
    }

    /**
     * Field resolution (§5.4.3.2): own fields, then those of superinterfaces, then those of the
     * superclass.
     */
    private Found findField(ClassFile file, String key) {
        Member field = file.field(key);
        if (field != null) {
            return new Found(file, field);
        }
        for (ClassFile superinterface : universe.ancestors(file).interfaces()) {
            Member constant = superinterface.field(key);
            if (constant != null && !hiddenBySuperclass(file, superinterface, key)) {
                return new Found(superinterface, constant);
            }
        }
        for (ClassFile superclass : universe.ancestors(file).classes()) {
            Member inherited = superclass.field(key);
            if (inherited != null) {
                return new Found(superclass, inherited);
            }
        }
        return null;
    }

    /**
     * Whether a superclass's own field takes precedence over an interface that only this
     * superclass, or one above it, implements.
     */
    private boolean hiddenBySuperclass(ClassFile file, ClassFile superinterface, String key) {
        ClassFile current = file;
        while (current != null) {
            boolean isReachedHere = current.interfaces.stream()
                    .anyMatch(direct -> universe.isSubclass(direct, superinterface.name));
            if (isReachedHere) {
                return false;
            }
            current = current.superName == null ? null : universe.find(current.superName);
            if (current != null && current.field(key) != null) {
                return true;
            }
        }
        return false;
    }

    /** Method resolution (§5.4.3.3). */
    private Found findMethod(ClassFile start, MemberReference reference) {
        Found inClasses = findInClasses(start, reference.key());
        if (inClasses != null) {
            return inClasses;
        }
        Found polymorphic = findSignaturePolymorphic(start, reference.name());
        return polymorphic != null ? polymorphic : findInInterfaces(start, reference.key());
    }

    /** Interface method resolution (§5.4.3.4). */
    private Found findInterfaceMethod(ClassFile start, String key) {
        Member declared = start.method(key);
        if (declared != null) {
            return new Found(start, declared);
        }
        ClassFile object = universe.find(OBJECT);
        Member ofObject = object.method(key);
        if (ofObject != null && ofObject.is(ClassFile.PUBLIC) && !ofObject.is(ClassFile.STATIC)) {
            return new Found(object, ofObject);
        }
        return findInInterfaces(start, key);
    }

    private Found findInClasses(ClassFile start, String key) {
        Member declared = start.method(key);
        if (declared != null) {
            return new Found(start, declared);
        }
        for (ClassFile superclass : universe.ancestors(start).classes()) {
            Member inherited = superclass.method(key);
            if (inherited != null) {
                return new Found(superclass, inherited);
            }
        }
        return null;
    }

    private static Found findSignaturePolymorphic(ClassFile start, String name) {
        if (!POLYMORPHIC_CLASSES.contains(start.name)) {
            return null;
        }
        for (Member method : start.methods) {
            if (method.name().equals(name) && method.is(ClassFile.NATIVE)
                    && method.descriptor().startsWith(POLYMORPHIC_ARGUMENTS)) {
                return new Found(start, method);
            }
        }
        return null;
    }

    /**
     * The only maximally-specific concrete method if there is one, otherwise any method that is
     * neither private nor static.
     */
    private Found findInInterfaces(ClassFile start, String key) {
        Found any = null;
        Found best = null;
        boolean isAmbiguous = false;
        for (ClassFile superinterface : universe.ancestors(start).interfaces()) {
            Member method = superinterface.method(key);
            if (method == null || method.is(ClassFile.PRIVATE) || method.is(ClassFile.STATIC)
                    || isOverriddenByOther(start, superinterface, key)) {
                continue;
            }
            Found found = new Found(superinterface, method);
            any = found;
            if (!method.is(ClassFile.ABSTRACT)) {
                isAmbiguous |= best != null;
                best = found;
            }
        }
        return best != null && !isAmbiguous ? best : any;
    }

    private boolean isOverriddenByOther(ClassFile start, ClassFile declaring, String key) {
        for (ClassFile other : universe.ancestors(start).interfaces()) {
            Member method = other.method(key);
            if (other != declaring && method != null && !method.is(ClassFile.PRIVATE) && !method.is(ClassFile.STATIC)
                    && universe.isSubclass(other.name, declaring.name)) {
                return true;
            }
        }
        return false;
    }
}
