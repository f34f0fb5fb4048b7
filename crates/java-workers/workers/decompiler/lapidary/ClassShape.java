package lapidary;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Set;

/**
 * The externally visible part of a class file: everything but the code of its methods. Two class
 * files with equal signatures look the same to code that only refers to them, however their
 * constant pools are laid out.
 */
final class ClassShape {
    /** The name in the class file, or null if the file cannot be read. */
    final String name;
    /** The directly enclosing class, or null. */
    final String nestedIn;
    final Digest content;
    final Digest signature;

    private ClassShape(String name, String nestedIn, Digest content, Digest signature) {
        this.name = name;
        this.nestedIn = nestedIn;
        this.content = content;
        this.signature = signature;
    }

    static ClassShape of(byte[] bytes) {
        Digest content = Digest.of(bytes);
        try {
            Reader reader = new Reader(bytes);
            reader.read();
            // An attribute that was not understood may matter; then the whole content does.
            Digest signature = reader.opaque ? content : Digest.of(reader.seen.toByteArray());
            return new ClassShape(reader.name, reader.nestedIn, content, signature);
        } catch (IOException | RuntimeException malformed) {
            return new ClassShape(null, null, content, content);
        }
    }

    private static final class Reader {
        /** Attributes that only the method itself or a debugger reads. */
        private static final Set<String> INVISIBLE =
                Set.of("Code", "SourceFile", "SourceDebugExtension", "BootstrapMethods");

        private final DataInputStream in;
        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(seen);
        private Object[] pool;
        private String name;
        private String nestedIn;
        private boolean opaque;

        Reader(byte[] bytes) {
            in = new DataInputStream(new ByteArrayInputStream(bytes));
        }

        void read() throws IOException {
            if (in.readInt() != 0xCAFEBABE) {
                throw new IOException("not a class file");
            }
            out.writeInt(in.readInt());
            readPool();
            out.writeShort(in.readUnsignedShort());
            name = reference();
            reference();
            references();
            members();
            members();
            attributes();
        }

        private void readPool() throws IOException {
            pool = new Object[in.readUnsignedShort()];
            for (int i = 1; i < pool.length; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> pool[i] = in.readUTF();
                    case 3, 4 -> pool[i] = tag + ":" + in.readInt();
                    case 5, 6 -> pool[i++] = tag + ":" + in.readLong();
                    case 7, 8, 16, 19, 20 -> pool[i] = in.readUnsignedShort();
                    case 9, 10, 11, 12, 17, 18 -> pool[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
                    case 15 -> pool[i] = new int[] {in.readUnsignedByte(), in.readUnsignedShort()};
                    default -> throw new IOException("unknown constant " + tag);
                }
            }
        }

        private void members() throws IOException {
            int count = in.readUnsignedShort();
            out.writeShort(count);
            for (int i = 0; i < count; i++) {
                out.writeShort(in.readUnsignedShort());
                reference();
                reference();
                attributes();
            }
        }

        private void attributes() throws IOException {
            for (int count = in.readUnsignedShort(); count > 0; count--) {
                String attribute = text(in.readUnsignedShort());
                int length = in.readInt();
                if (INVISIBLE.contains(attribute)) {
                    in.skipNBytes(length);
                } else {
                    out.writeUTF(attribute);
                    visible(attribute, length);
                }
            }
        }

        private void visible(String attribute, int length) throws IOException {
            switch (attribute) {
                case "Signature", "ConstantValue", "NestHost" -> reference();
                case "Exceptions", "NestMembers", "PermittedSubclasses" -> references();
                case "Deprecated", "Synthetic" -> in.skipNBytes(length);
                case "InnerClasses" -> innerClasses();
                case "EnclosingMethod" -> enclosingMethod();
                default -> {
                    opaque = true;
                    in.skipNBytes(length);
                }
            }
        }

        private void innerClasses() throws IOException {
            int count = in.readUnsignedShort();
            out.writeShort(count);
            for (int i = 0; i < count; i++) {
                String inner = reference();
                String outer = reference();
                reference();
                out.writeShort(in.readUnsignedShort());
                if (inner.equals(name) && !outer.isEmpty()) {
                    nestedIn = outer;
                }
            }
        }

        private void enclosingMethod() throws IOException {
            nestedIn = reference();
            int method = in.readUnsignedShort();
            if (method != 0) {
                int[] parts = (int[]) pool[method];
                out.writeUTF(text(parts[0]));
                out.writeUTF(text(parts[1]));
            }
        }

        private void references() throws IOException {
            int count = in.readUnsignedShort();
            out.writeShort(count);
            for (int i = 0; i < count; i++) {
                reference();
            }
        }

        /** Reads an index and records the constant it refers to. */
        private String reference() throws IOException {
            String text = text(in.readUnsignedShort());
            byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_16BE);
            out.writeInt(bytes.length);
            out.write(bytes);
            return text;
        }

        private String text(int index) {
            Object constant = index == 0 ? "" : pool[index];
            return constant instanceof Integer other ? text(other) : (String) constant;
        }
    }
}
