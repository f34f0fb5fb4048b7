package lapidary.verifier;

import java.util.function.Consumer;

/**
 * Finds the classes named in a generic signature (JVMS §4.7.9.1).
 *
 * A member type `p/Outer<TT;>.Inner` names the class `p/Outer$Inner`, as reflection interprets it.
 */
final class SignatureNames {
    private final String signature;
    private final Consumer<String> named;
    private int at;

    private SignatureNames(String signature, Consumer<String> named) {
        this.signature = signature;
        this.named = named;
    }

    /**
     * Calls back with every class of a class, method or type signature. Returns whether the
     * signature is well formed.
     */
    static boolean visit(String signature, Consumer<String> named) {
        try {
            new SignatureNames(signature, named).all();
            return true;
        } catch (IndexOutOfBoundsException | MalformedClassException malformed) {
            return false;
        }
    }

    private void all() {
        if (signature.charAt(at) == '<') {
            typeParameters();
        }
        while (at < signature.length()) {
            char next = signature.charAt(at);
            if (next == '(' || next == ')' || next == '^') {
                at++;
            } else {
                type();
            }
        }
    }

    private void typeParameters() {
        at++;
        while (signature.charAt(at) != '>') {
            at = signature.indexOf(':', at);
            while (peekAfterName() == ':') {
                at++;
                if (signature.charAt(at) != ':' && isTypeStart(signature.charAt(at))) {
                    type();
                }
            }
        }
        at++;
    }

    private char peekAfterName() {
        if (at < 0) {
            throw new MalformedClassException("type parameter without bound");
        }
        return signature.charAt(at);
    }

    /**
     * Whether a bound starts here. After `:` a bound or the next parameter's name may follow; only
     * `L…;`, `T…;` and `[` can be bounds.
     */
    private boolean isTypeStart(char next) {
        if (next == '[') {
            return true;
        }
        int colon = signature.indexOf(':', at);
        int end = signature.indexOf(';', at);
        return (next == 'L' || next == 'T') && end >= 0 && (colon < 0 || end < colon);
    }

    private void type() {
        char kind = signature.charAt(at++);
        switch (kind) {
            case 'L':
                classType();
                break;
            case 'T':
                at = afterSemicolon();
                break;
            case '[':
                type();
                break;
            default:
                if ("BCDFIJSZV".indexOf(kind) < 0) {
                    throw new MalformedClassException("unexpected " + kind);
                }
        }
    }

    private void classType() {
        StringBuilder name = new StringBuilder();
        while (true) {
            char next = signature.charAt(at++);
            switch (next) {
                case ';':
                    named.accept(name.toString());
                    return;
                case '<':
                    typeArguments();
                    break;
                case '.':
                    named.accept(name.toString());
                    name.append('$');
                    break;
                default:
                    name.append(next);
            }
        }
    }

    private void typeArguments() {
        while (signature.charAt(at) != '>') {
            char next = signature.charAt(at);
            if (next == '*' || next == '+' || next == '-') {
                at++;
            }
            if (next != '*') {
                type();
            }
        }
        at++;
    }

    private int afterSemicolon() {
        int end = signature.indexOf(';', at);
        if (end < 0) {
            throw new MalformedClassException("unterminated type variable");
        }
        return end + 1;
    }
}
