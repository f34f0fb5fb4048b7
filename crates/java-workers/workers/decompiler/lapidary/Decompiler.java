package lapidary;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/** A decompiler, which works either on one class at a time or on the whole program at once. */
interface Decompiler {
    String name();

    interface OneByOne extends Decompiler {
        /**
         * The source of a class with everything nested in it, or null if the decompiler writes no
         * file for it. No state that depends on the classes of the program may be kept between
         * calls.
         *
         * @param classFiles returns the class file for a name such as java/lang/String, or null
         */
        String decompile(String name, Function<String, byte[]> classFiles) throws Exception;
    }

    interface AllAtOnce extends Decompiler {
        /** The source files by path, such as java/lang/String.java. */
        Map<String, String> decompile(Path candidate) throws Exception;
    }
}
