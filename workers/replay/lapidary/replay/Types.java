package lapidary.replay;

import java.util.ArrayList;
import java.util.List;

/** Types by the letters and descriptors of class files. */
final class Types {
    private Types() {}

    static Class<?> ofLetter(char letter) {
        switch (letter) {
            case 'Z': return boolean.class;
            case 'B': return byte.class;
            case 'C': return char.class;
            case 'S': return short.class;
            case 'I': return int.class;
            case 'J': return long.class;
            case 'F': return float.class;
            case 'D': return double.class;
            default: throw new IllegalArgumentException("no type is written " + letter);
        }
    }

    /** The parameters of a method, from its descriptor. */
    static Class<?>[] parameters(String descriptor) throws ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        for (int at = 1; descriptor.charAt(at) != ')';) {
            int end = at;
            while (descriptor.charAt(end) == '[') {
                end++;
            }
            end = descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
            types.add(type(descriptor.substring(at, end)));
            at = end;
        }
        return types.toArray(new Class<?>[0]);
    }

    private static Class<?> type(String descriptor) throws ClassNotFoundException {
        if (descriptor.length() == 1) {
            return ofLetter(descriptor.charAt(0));
        }
        boolean isClass = descriptor.charAt(0) == 'L';
        String name = isClass ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
        return Class.forName(name.replace('/', '.'), false, Types.class.getClassLoader());
    }
}
