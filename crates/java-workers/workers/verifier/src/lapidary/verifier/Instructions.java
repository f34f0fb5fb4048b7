package lapidary.verifier;

import java.util.function.IntConsumer;

/** Walks over the instructions of a `Code` attribute and visits those that name a constant. */
final class Instructions {
    static final int LDC = 0x12;
    static final int LDC_W = 0x13;
    static final int LDC2_W = 0x14;
    static final int GETSTATIC = 0xb2;
    static final int PUTSTATIC = 0xb3;
    static final int GETFIELD = 0xb4;
    static final int PUTFIELD = 0xb5;
    static final int INVOKEVIRTUAL = 0xb6;
    static final int INVOKESPECIAL = 0xb7;
    static final int INVOKESTATIC = 0xb8;
    static final int INVOKEINTERFACE = 0xb9;
    static final int INVOKEDYNAMIC = 0xba;
    static final int NEW = 0xbb;
    static final int ANEWARRAY = 0xbd;
    static final int CHECKCAST = 0xc0;
    static final int INSTANCEOF = 0xc1;
    static final int MULTIANEWARRAY = 0xc5;

    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    private static final int WIDE = 0xc4;
    private static final int IINC = 0x84;

    /** Receives each instruction with an operand in the constant pool. */
    interface Visitor {
        void visit(int opcode, int constant);
    }

    private Instructions() {}

    static void visit(byte[] bytes, int codeAttributeStart, Visitor visitor) {
        int start = codeAttributeStart + 8;
        int end = start + Bytes.s4(bytes, codeAttributeStart + 4);
        for (int at = start; at < end; at += length(bytes, start, at)) {
            int opcode = Bytes.u1(bytes, at);
            if (opcode == LDC) {
                visitor.visit(opcode, Bytes.u1(bytes, at + 1));
            } else if (namesConstant(opcode)) {
                visitor.visit(opcode, Bytes.u2(bytes, at + 1));
            }
        }
    }

    /**
     * Calls back with the constant index of every caught class, and returns where the code's
     * attributes begin.
     */
    static int visitCaughtClasses(byte[] bytes, int codeAttributeStart, IntConsumer caught) {
        int table = codeAttributeStart + 8 + Bytes.s4(bytes, codeAttributeStart + 4);
        int count = Bytes.u2(bytes, table);
        for (int i = 0; i < count; i++) {
            int constant = Bytes.u2(bytes, table + 2 + 8 * i + 6);
            if (constant != 0) {
                caught.accept(constant);
            }
        }
        return table + 2 + 8 * count;
    }

    private static boolean namesConstant(int opcode) {
        return opcode >= GETSTATIC && opcode <= NEW
                || opcode == ANEWARRAY || opcode == CHECKCAST || opcode == INSTANCEOF || opcode == MULTIANEWARRAY
                || opcode == LDC_W || opcode == LDC2_W;
    }

    private static int length(byte[] bytes, int start, int at) {
        int opcode = Bytes.u1(bytes, at);
        int operands = at + 4 - (at - start) % 4;
        switch (opcode) {
            case TABLESWITCH:
                return operands + 12 + 4 * tableSize(bytes, operands) - at;
            case LOOKUPSWITCH:
                return operands + 8 + 8 * checkedCount(Bytes.s4(bytes, operands + 4)) - at;
            case WIDE:
                return Bytes.u1(bytes, at + 1) == IINC ? 6 : 4;
            default:
                return fixedLength(opcode);
        }
    }

    private static int tableSize(byte[] bytes, int operands) {
        return checkedCount((long) Bytes.s4(bytes, operands + 8) - Bytes.s4(bytes, operands + 4) + 1);
    }

    /**
     * Checks the size of a switch. One larger than any method would send the walk out of the array,
     * or backwards.
     */
    private static int checkedCount(long count) {
        if (count < 0 || count > 0xffff) {
            throw new MalformedClassException("switch with " + count + " cases");
        }
        return (int) count;
    }

    private static int fixedLength(int opcode) {
        if (opcode == 0x10 || opcode == LDC || opcode >= 0x15 && opcode <= 0x19 || opcode >= 0x36 && opcode <= 0x3a
                || opcode == 0xa9 || opcode == 0xbc) {
            return 2;
        }
        if (opcode == INVOKEINTERFACE || opcode == INVOKEDYNAMIC || opcode == 0xc8 || opcode == 0xc9) {
            return 5;
        }
        if (opcode == MULTIANEWARRAY) {
            return 4;
        }
        boolean isBranch = opcode >= 0x99 && opcode <= 0xa8 || opcode == 0xc6 || opcode == 0xc7;
        return isBranch || namesConstant(opcode) || opcode == 0x11 || opcode == IINC ? 3 : 1;
    }
}
