package lapidary;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** A content hash. Contents with equal hashes are assumed to be equal. */
record Digest(long high, long low) {
    static Digest of(byte[] bytes) {
        byte[] hash = Arrays.copyOf(algorithm().digest(bytes), 16);
        return new Digest(number(hash, 0), number(hash, 8));
    }

    private static long number(byte[] bytes, int from) {
        long result = 0;
        for (int i = from; i < from + 8; i++) {
            result = result << 8 | bytes[i] & 0xff;
        }
        return result;
    }

    private static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every JDK has SHA-256", impossible);
        }
    }
}
