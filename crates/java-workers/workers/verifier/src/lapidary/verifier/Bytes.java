package lapidary.verifier;

/** Big-endian numbers in a byte array, as in class files. */
final class Bytes {
    private Bytes() {}

    static int u1(byte[] bytes, int at) {
        return bytes[at] & 0xff;
    }

    static int u2(byte[] bytes, int at) {
        return u1(bytes, at) << 8 | u1(bytes, at + 1);
    }

    static int s2(byte[] bytes, int at) {
        return (short) u2(bytes, at);
    }

    static int s4(byte[] bytes, int at) {
        return u2(bytes, at) << 16 | u2(bytes, at + 2);
    }
}
