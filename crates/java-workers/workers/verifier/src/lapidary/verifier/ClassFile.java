package lapidary.verifier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One class file, parsed as far as linking needs it: names, flags, members, and the positions of
 * attributes.
 *
 * Names are in the internal form (`java/lang/Object`) everywhere in this program, except where
 * reflection needs dots.
 */
final class ClassFile {
    static final int PUBLIC = 0x0001;
    static final int PRIVATE = 0x0002;
    static final int PROTECTED = 0x0004;
    static final int STATIC = 0x0008;
    static final int FINAL = 0x0010;
    static final int NATIVE = 0x0100;
    static final int INTERFACE = 0x0200;
    static final int ABSTRACT = 0x0400;
    static final int MODULE = 0x8000;

    final byte[] bytes;
    final ConstantPool pool;
    final int majorVersion;
    final int flags;
    final String name;
    final String superName;
    final List<String> interfaces;
    final List<Member> fields;
    final List<Member> methods;
    final List<Attribute> attributes;

    private final Map<String, Member> fieldsByKey = new HashMap<>();
    private final Map<String, Member> methodsByKey = new HashMap<>();

    /** An attribute's name and the position of its content in the class's bytes. */
    record Attribute(String name, int start, int length) {
        int end() {
            return start + length;
        }
    }

    /** A declared field or method. */
    record Member(int flags, String name, String descriptor, List<Attribute> attributes) {
        boolean is(int flag) {
            return (flags & flag) != 0;
        }

        String key() {
            return ClassFile.key(name, descriptor);
        }

        boolean isMethod() {
            return descriptor.startsWith("(");
        }
    }

    ClassFile(byte[] bytes) {
        try {
            this.bytes = bytes;
            if (Bytes.s4(bytes, 0) != 0xCAFEBABE) {
                throw new MalformedClassException("no class file: wrong magic number");
            }
            majorVersion = Bytes.u2(bytes, 6);
            pool = new ConstantPool(bytes, 8);
            int at = pool.end();
            flags = Bytes.u2(bytes, at);
            name = pool.className(Bytes.u2(bytes, at + 2));
            superName = pool.classNameOrNull(Bytes.u2(bytes, at + 4));
            interfaces = classNames(at + 6);
            Cursor cursor = new Cursor(at + 8 + 2 * interfaces.size());
            fields = cursor.members();
            methods = cursor.members();
            attributes = cursor.attributes();
        } catch (IndexOutOfBoundsException truncated) {
            throw new MalformedClassException("truncated class file");
        }
        fields.forEach(field -> fieldsByKey.putIfAbsent(field.key(), field));
        methods.forEach(method -> methodsByKey.putIfAbsent(method.key(), method));
    }

    /**
     * The key of a member inside its class: `name(args)result` for methods, `name type` for fields.
     */
    static String key(String name, String descriptor) {
        return descriptor.startsWith("(") ? name + descriptor : name + " " + descriptor;
    }

    Member method(String key) {
        return methodsByKey.get(key);
    }

    Member field(String key) {
        return fieldsByKey.get(key);
    }

    boolean is(int flag) {
        return (flags & flag) != 0;
    }

    boolean isInterface() {
        return is(INTERFACE);
    }

    /** Whether the class has generic types for reflection to read. */
    boolean mentionsGenerics() {
        return ClassFile.find(attributes, "Signature") != null || hasSignature(fields) || hasSignature(methods);
    }

    String packageName() {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    Attribute attribute(String wanted) {
        return find(attributes, wanted);
    }

    /** The class that this one claims as its nest host; itself if it claims none. */
    String nestHost() {
        Attribute attribute = attribute("NestHost");
        return attribute == null ? name : pool.className(Bytes.u2(bytes, attribute.start()));
    }

    /**
     * The classes listed by an attribute that is a plain list of classes, such as `NestMembers`.
     */
    List<String> listedClasses(String attributeName) {
        Attribute attribute = attribute(attributeName);
        return attribute == null ? List.of() : classNames(attribute.start());
    }

    /**
     * The attributes nested in another one: those of a `Code` attribute or of a record component.
     */
    List<Attribute> attributesAt(int start) {
        return new Cursor(start).attributes();
    }

    static Attribute find(List<Attribute> attributes, String wanted) {
        for (Attribute attribute : attributes) {
            if (attribute.name().equals(wanted)) {
                return attribute;
            }
        }
        return null;
    }

    private static boolean hasSignature(List<Member> members) {
        return members.stream().anyMatch(member -> find(member.attributes(), "Signature") != null);
    }

    private List<String> classNames(int countAt) {
        int count = Bytes.u2(bytes, countAt);
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(pool.className(Bytes.u2(bytes, countAt + 2 + 2 * i)));
        }
        return names;
    }

    /** Walks over the member and attribute tables, whose entries have no fixed size. */
    private final class Cursor {
        private int at;

        Cursor(int at) {
            this.at = at;
        }

        List<Member> members() {
            int count = u2();
            List<Member> members = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                members.add(new Member(u2(), pool.utf8(u2()), pool.utf8(u2()), attributes()));
            }
            return members;
        }

        List<Attribute> attributes() {
            int count = u2();
            List<Attribute> found = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                String attributeName = pool.utf8(u2());
                int length = Bytes.s4(bytes, at);
                at += 4;
                if (length < 0 || length > bytes.length - at) {
                    throw new MalformedClassException("attribute " + attributeName + " is longer than the class");
                }
                found.add(new Attribute(attributeName, at, length));
                at += length;
            }
            return found;
        }

        private int u2() {
            at += 2;
            return Bytes.u2(bytes, at - 2);
        }
    }
}
