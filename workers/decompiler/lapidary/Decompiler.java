package lapidary;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/** A decompiler, which works on one class after another or on the whole program at once. */
interface Decompiler {
    String name();

    interface OneByOne extends Decompiler {
        /**
         * The source of a class with all that is nested in it, or null if the decompiler makes no file for it. Nothing may
         * be remembered from one call to the next that depends on the classes of the program.
         *
         * @param classFiles the class file for a name such as java/lang/String, or null
         */
        String decompile(String name, Function<String, byte[]> classFiles) throws Exception;
    }

    interface AllAtOnce extends Decompiler {
        /** The source files by path, such as java/lang/String.java. */
        Map<String, String> decompile(Path candidate) throws Exception;
    }
}
