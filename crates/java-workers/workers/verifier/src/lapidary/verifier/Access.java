package lapidary.verifier;

import lapidary.verifier.ClassFile.Member;
import lapidary.verifier.ConstantPool.MemberReference;
import lapidary.verifier.Resolution.Found;

/**
 * Access control (JVMS §5.4.4).
 *
 * Packages are compared by name, because the loader of a candidate defines every class that shares
 * a package with it. Exports of modules are not checked, because no sub-program changes them.
 */
final class Access {
    private final Universe universe;

    Access(Universe universe) {
        this.universe = universe;
    }

    void checkClass(ClassFile from, String name) throws LinkFailure {
        String element = Names.elementClass(name);
        ClassFile file = element == null ? null : universe.find(element);
        if (file != null && !file.is(ClassFile.PUBLIC) && !samePackage(from, file)) {
            throw new LinkFailure("IllegalAccessError: class", element);
        }
    }

    void checkMember(ClassFile from, MemberReference reference, Found found) throws LinkFailure {
        if (!isAccessible(from, reference, found)) {
            throw new LinkFailure("IllegalAccessError: member", reference);
        }
    }

    private boolean isAccessible(ClassFile from, MemberReference reference, Found found) {
        Member member = found.member();
        boolean isCloneOfArray = reference.owner().startsWith("[") && member.name().equals("clone");
        if (member.is(ClassFile.PUBLIC) || isCloneOfArray) {
            return true;
        }
        if (member.is(ClassFile.PRIVATE)) {
            return from.name.equals(found.owner().name) || areNestmates(from, found.owner());
        }
        return samePackage(from, found.owner())
                || member.is(ClassFile.PROTECTED) && isAccessibleAsProtected(from, reference, found);
    }

    private boolean isAccessibleAsProtected(ClassFile from, MemberReference reference, Found found) {
        String receiver = reference.owner();
        return universe.isSubclass(from.name, found.owner().name)
                && (found.member().is(ClassFile.STATIC)
                        || universe.isSubclass(receiver, from.name) || universe.isSubclass(from.name, receiver));
    }

    private boolean areNestmates(ClassFile one, ClassFile other) {
        return confirmedNestHost(one).equals(confirmedNestHost(other));
    }

    /** The claimed nest host if it lists the class in turn, otherwise the class itself (§5.4.4). */
    private String confirmedNestHost(ClassFile file) {
        ClassFile host = universe.find(file.nestHost());
        boolean isConfirmed = host != null && samePackage(file, host)
                && host.listedClasses("NestMembers").contains(file.name);
        return isConfirmed ? host.name : file.name;
    }

    private static boolean samePackage(ClassFile one, ClassFile other) {
        return one.packageName().equals(other.packageName());
    }
}
