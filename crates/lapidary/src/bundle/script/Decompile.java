import com.strobel.assembler.metadata.Buffer;
import com.strobel.assembler.metadata.ITypeLoader;
import com.strobel.assembler.metadata.MetadataSystem;
import com.strobel.assembler.metadata.TypeDefinition;
import com.strobel.assembler.metadata.TypeReference;
import com.strobel.decompiler.DecompilationOptions;
import com.strobel.decompiler.DecompilerSettings;
import com.strobel.decompiler.PlainTextOutput;
import com.strobel.decompiler.languages.java.JavaFormattingOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Decompiles the classes of a jar with Procyon, which is on Maven Central without a command line of
 * its own. The settings are those of its command line.
 *
 * <pre>java -cp PROCYON Decompile.java JAR DIRECTORY</pre>
 */
public class Decompile {
    public static void main(String[] arguments) throws Exception {
        JarFile jar = new JarFile(arguments[0]);
        ITypeLoader loader = (name, buffer) -> load(jar, name, buffer);
        for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
            String path = entries.nextElement().getName();
            if (path.endsWith(".class")) {
                String name = path.substring(0, path.length() - ".class".length());
                try {
                    decompile(name, loader, Path.of(arguments[1]));
                } catch (Exception | StackOverflowError failure) {
                    System.err.println(name + ": " + failure);
                }
            }
        }
    }

    private static boolean load(JarFile jar, String name, Buffer buffer) {
        JarEntry entry = jar.getJarEntry(name + ".class");
        try (InputStream in = entry != null ? jar.getInputStream(entry) : ClassLoader.getSystemResourceAsStream(name + ".class")) {
            if (in == null) {
                return false;
            }
            byte[] bytes = in.readAllBytes();
            buffer.reset(bytes.length);
            buffer.putByteArray(bytes, 0, bytes.length);
            buffer.position(0);
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static void decompile(String name, ITypeLoader loader, Path into) throws IOException {
        TypeReference reference = new MetadataSystem(loader).lookupType(name);
        TypeDefinition type = reference == null ? null : reference.resolve();
        if (type == null || type.isNested() || type.isAnonymous() || type.isSynthetic()) {
            return;
        }
        DecompilerSettings settings = DecompilerSettings.javaDefaults();
        settings.setTypeLoader(loader);
        settings.setForceExplicitImports(true);
        settings.setTextBlockLineMinimum(3);
        settings.setJavaFormattingOptions(JavaFormattingOptions.createDefault());
        DecompilationOptions options = new DecompilationOptions();
        options.setSettings(settings);
        options.setFullDecompilation(true);
        StringWriter text = new StringWriter();
        settings.getLanguage().decompileType(type, new PlainTextOutput(text), options);
        Path file = into.resolve(name + ".java").normalize();
        if (file.startsWith(into.normalize())) {
            Files.createDirectories(file.getParent());
            Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
