package lapidary;

import com.strobel.assembler.metadata.Buffer;
import com.strobel.assembler.metadata.DeobfuscationUtilities;
import com.strobel.assembler.metadata.ITypeLoader;
import com.strobel.assembler.metadata.MetadataSystem;
import com.strobel.assembler.metadata.TypeDefinition;
import com.strobel.assembler.metadata.TypeReference;
import com.strobel.decompiler.DecompilationOptions;
import com.strobel.decompiler.DecompilerSettings;
import com.strobel.decompiler.PlainTextOutput;
import com.strobel.decompiler.languages.java.JavaFormattingOptions;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * Procyon, used as by its own command line, with one type system per class and one for the JDK's
 * types.
 */
final class Procyon implements Decompiler.OneByOne {
    private final Types platform = new Types(name -> null, null);

    @Override
    public String name() {
        return "procyon";
    }

    @Override
    public String decompile(String name, Function<String, byte[]> classFiles) {
        Types types = new Types(classFiles, platform);
        TypeReference reference = types.lookupType(name);
        TypeDefinition type = reference == null ? null : reference.resolve();
        if (type == null) {
            throw new IllegalStateException("the class cannot be loaded");
        }
        DeobfuscationUtilities.processType(type);
        if (type.isNested() || type.isAnonymous() || type.isSynthetic()) {
            return null;
        }
        DecompilerSettings settings = DecompilerSettings.javaDefaults();
        settings.setTypeLoader(types.loader);
        settings.setForceExplicitImports(true);
        settings.setTextBlockLineMinimum(3);
        settings.setJavaFormattingOptions(JavaFormattingOptions.createDefault());
        DecompilationOptions options = new DecompilationOptions();
        options.setSettings(settings);
        options.setFullDecompilation(true);
        StringWriter text = new StringWriter();
        settings.getLanguage().decompileType(type, new PlainTextOutput(text), options);
        return text.toString();
    }

    /** The types of a program on top of those of the JDK, which are read once. */
    private static final class Types extends MetadataSystem {
        private final ITypeLoader loader;
        private final Function<String, byte[]> classFiles;
        private final Types platform;
        private final Set<String> missing = new HashSet<>();

        Types(Function<String, byte[]> classFiles, Types platform) {
            this(classFiles, platform, (name, buffer) -> load(name, buffer, classFiles));
        }

        private Types(Function<String, byte[]> classFiles, Types platform, ITypeLoader loader) {
            super(loader);
            this.loader = loader;
            this.classFiles = classFiles;
            this.platform = platform;
        }

        private static boolean load(String name, Buffer buffer, Function<String, byte[]> classFiles) {
            byte[] own = classFiles.apply(name);
            byte[] found = own != null ? own : Platform.find(name);
            if (found == null) {
                return false;
            }
            buffer.reset(found.length);
            System.arraycopy(found, 0, buffer.array(), 0, found.length);
            buffer.position(0);
            return true;
        }

        @Override
        protected TypeDefinition resolveType(String name, boolean mightBePrimitive) {
            if (missing.contains(name)) {
                return null;
            }
            boolean jdk = platform != null && classFiles.apply(name) == null && Platform.find(name) != null;
            TypeDefinition found =
                    jdk ? platform.resolveType(name, mightBePrimitive) : super.resolveType(name, mightBePrimitive);
            if (found == null) {
                missing.add(name);
            }
            return found;
        }
    }
}
