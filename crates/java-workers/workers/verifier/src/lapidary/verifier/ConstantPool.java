package lapidary.verifier;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The constant pool of one class file, read in place.
 *
 * Entries are decoded on demand from the class's own bytes, because most of them are never needed.
 */
final class ConstantPool {
    static final int UTF8 = 1;
    static final int CLASS = 7;
    static final int FIELD = 9;
    static final int METHOD = 10;
    static final int INTERFACE_METHOD = 11;
    static final int METHOD_HANDLE = 15;
    static final int METHOD_TYPE = 16;
    static final int DYNAMIC = 17;
    static final int INVOKE_DYNAMIC = 18;

    /**
     * The size of an entry after its tag, by tag; 0 stands for "no such tag", and UTF8 adds its own
     * length.
     */
    private static final int[] SIZE_BY_TAG = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    private final byte[] bytes;
    private final int[] tagOffsets;
    private final String[] decoded;
    private final int end;

    /** A field, method or interface method named by a class. */
    record MemberReference(int tag, String owner, String name, String descriptor) {
        String key() {
            return ClassFile.key(name, descriptor);
        }

        @Override
        public String toString() {
            return tag == FIELD ? owner + "." + name + " " + descriptor : owner + "." + name + descriptor;
        }
    }

    ConstantPool(byte[] bytes, int start) {
        this.bytes = bytes;
        int count = Bytes.u2(bytes, start);
        tagOffsets = new int[count];
        decoded = new String[count];
        int at = start + 2;
        for (int index = 1; index < count; index++) {
            tagOffsets[index] = at;
            int tag = Bytes.u1(bytes, at);
            at += 1 + sizeAfterTag(tag, at);
            boolean takesTwoIndices = tag == 5 || tag == 6;
            if (takesTwoIndices) {
                index++;
            }
        }
        end = at;
    }

    int end() {
        return end;
    }

    int count() {
        return tagOffsets.length;
    }

    /** The tag of an entry; 0 for index 0 and for the unusable half of a long or double. */
    int tag(int index) {
        return tagOffsets[index] == 0 ? 0 : Bytes.u1(bytes, tagOffsets[index]);
    }

    String utf8(int index) {
        if (decoded[index] == null) {
            expect(index, UTF8);
            decoded[index] = decode(tagOffsets[index] + 1);
        }
        return decoded[index];
    }

    /** The string that a one-operand entry (class, method type, module, …) refers to. */
    String text(int index) {
        return utf8(u2(index, 1));
    }

    String className(int index) {
        expect(index, CLASS);
        return text(index);
    }

    /** Like {@link #className}, but 0 means "none". */
    String classNameOrNull(int index) {
        return index == 0 ? null : className(index);
    }

    MemberReference member(int index) {
        int tag = tag(index);
        if (tag != FIELD && tag != METHOD && tag != INTERFACE_METHOD) {
            throw new MalformedClassException("constant " + index + " is no member reference");
        }
        int nameAndType = u2(index, 3);
        return new MemberReference(tag, className(u2(index, 1)), utf8(u2(nameAndType, 1)), utf8(u2(nameAndType, 3)));
    }

    /** The descriptor of a dynamic constant or call site. */
    String dynamicDescriptor(int index) {
        return utf8(u2(u2(index, 3), 3));
    }

    String dynamicName(int index) {
        return utf8(u2(u2(index, 3), 1));
    }

    /** The member key of a name-and-type entry. */
    String nameAndTypeKey(int index) {
        return ClassFile.key(utf8(u2(index, 1)), utf8(u2(index, 3)));
    }

    int bootstrapIndex(int index) {
        return u2(index, 1);
    }

    int handleKind(int index) {
        expect(index, METHOD_HANDLE);
        return Bytes.u1(bytes, tagOffsets[index] + 1);
    }

    MemberReference handleMember(int index) {
        return member(u2(index, 2));
    }

    private int u2(int index, int offset) {
        if (tagOffsets[index] == 0) {
            throw new MalformedClassException("constant " + index + " is unusable");
        }
        return Bytes.u2(bytes, tagOffsets[index] + offset);
    }

    private void expect(int index, int tag) {
        if (tag(index) != tag) {
            throw new MalformedClassException("constant " + index + " has tag " + tag(index) + ", not " + tag);
        }
    }

    private int sizeAfterTag(int tag, int at) {
        if (tag == UTF8) {
            return 2 + Bytes.u2(bytes, at + 1);
        }
        if (tag >= SIZE_BY_TAG.length || SIZE_BY_TAG[tag] == 0) {
            throw new MalformedClassException("unknown constant tag " + tag);
        }
        return SIZE_BY_TAG[tag];
    }

    private String decode(int lengthAt) {
        int length = Bytes.u2(bytes, lengthAt);
        for (int i = 0; i < length; i++) {
            if (bytes[lengthAt + 2 + i] <= 0) {
                return decodeModifiedUtf8(lengthAt, length);
            }
        }
        return new String(bytes, lengthAt + 2, length, StandardCharsets.ISO_8859_1);
    }

    private String decodeModifiedUtf8(int lengthAt, int length) {
        try {
            return new DataInputStream(new ByteArrayInputStream(bytes, lengthAt, length + 2)).readUTF();
        } catch (IOException malformed) {
            throw new MalformedClassException("malformed string constant");
        }
    }
}
