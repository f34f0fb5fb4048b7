package lapidary.verifier;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All classes that a candidate can name: its own first, then those of the libraries and the JDK.
 *
 * Invariant: the answer for a name never changes during the life of a universe, and nothing in it
 * is ever executed.
 */
final class Universe {
    private final Map<String, ClassFile> own = new TreeMap<>();
    private final Map<String, String> unreadable = new TreeMap<>();
    private final Libraries libraries;
    private final Map<ClassFile, Ancestors> ancestors = new HashMap<>();

    /**
     * The superclasses and superinterfaces of a class, nearest first, and the first of them that
     * does not exist.
     */
    record Ancestors(Set<ClassFile> classes, Set<ClassFile> interfaces, String missing) {}

    Universe(Map<String, byte[]> classes, Libraries libraries) {
        this.libraries = libraries;
        classes.forEach(this::add);
    }

    /** The candidate's classes that could be parsed. */
    Map<String, ClassFile> own() {
        return own;
    }

    /** The candidate's classes that could not be parsed, with the reasons. */
    Map<String, String> unreadable() {
        return unreadable;
    }

    ClassFile find(String name) {
        ClassFile file = own.get(name);
        return file != null || unreadable.containsKey(name) ? file : libraries.find(name);
    }

    /** Whether a class exists; for arrays, whether the element class does. */
    boolean exists(String name) {
        String element = Names.elementClass(name);
        return element == null || unreadable.containsKey(element) || find(element) != null;
    }

    boolean isSubclass(String sub, String ancestor) {
        if (sub.equals(ancestor)) {
            return true;
        }
        ClassFile file = find(sub);
        ClassFile wanted = find(ancestor);
        return file != null && wanted != null
                && (ancestors(file).classes().contains(wanted) || ancestors(file).interfaces().contains(wanted));
    }

    Ancestors ancestors(ClassFile file) {
        Ancestors known = ancestors.get(file);
        if (known == null) {
            known = collectAncestors(file);
            ancestors.put(file, known);
        }
        return known;
    }

    private void add(String name, byte[] bytes) {
        try {
            own.put(name, new ClassFile(bytes));
        } catch (MalformedClassException malformed) {
            unreadable.put(name, malformed.getMessage());
        }
    }

    private Ancestors collectAncestors(ClassFile file) {
        Set<ClassFile> classes = new LinkedHashSet<>();
        Set<ClassFile> interfaces = new LinkedHashSet<>();
        String missing = null;
        Deque<String> pending = new ArrayDeque<>(file.interfaces);
        for (String name = file.superName; name != null; ) {
            ClassFile superclass = find(name);
            boolean isCircular = superclass != null && !classes.add(superclass);
            if (superclass == null || isCircular) {
                missing = superclass == null ? name : missing;
                break;
            }
            pending.addAll(superclass.interfaces);
            name = superclass.superName;
        }
        while (!pending.isEmpty()) {
            String name = pending.remove();
            ClassFile superinterface = find(name);
            if (superinterface == null) {
                missing = missing == null ? name : missing;
            } else if (interfaces.add(superinterface)) {
                pending.addAll(superinterface.interfaces);
            }
        }
        return new Ancestors(classes, interfaces, missing);
    }
}
