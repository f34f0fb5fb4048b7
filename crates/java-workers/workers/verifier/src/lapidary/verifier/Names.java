package lapidary.verifier;

import java.util.function.Consumer;

/** Class names inside descriptors and array types. */
final class Names {
    private Names() {}

    /** The element class of an array type, or the name itself; null for arrays of primitives. */
    static String elementClass(String name) {
        if (!name.startsWith("[")) {
            return name;
        }
        int element = name.lastIndexOf('[') + 1;
        return name.charAt(element) == 'L' ? name.substring(element + 1, name.length() - 1) : null;
    }

    /** Calls back with every class named in a field or method descriptor. */
    static void inDescriptor(String descriptor, Consumer<String> named) {
        int at = 0;
        while (at < descriptor.length()) {
            if (descriptor.charAt(at) != 'L') {
                at++;
                continue;
            }
            int end = descriptor.indexOf(';', at);
            if (end < 0) {
                throw new MalformedClassException("malformed descriptor " + descriptor);
            }
            named.accept(descriptor.substring(at + 1, end));
            at = end + 1;
        }
    }

    static String dotted(String internal) {
        return internal.replace('/', '.');
    }
}
