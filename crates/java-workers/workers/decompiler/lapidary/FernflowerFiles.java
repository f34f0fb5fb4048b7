package lapidary;

import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Manifest;
import org.jetbrains.java.decompiler.main.extern.IFernflowerLogger;
import org.jetbrains.java.decompiler.main.extern.IResultSaver;

/** Keeps the files that Fernflower and its relatives write in memory. */
final class FernflowerFiles implements IResultSaver {
    static final IFernflowerLogger SILENCE = new IFernflowerLogger() {
        @Override
        public void writeMessage(String message, Severity severity) {}

        @Override
        public void writeMessage(String message, Severity severity, Throwable thrown) {}
    };

    final Map<String, String> sources = new TreeMap<>();

    @Override
    public void saveClassFile(String path, String qualifiedName, String entryName, String content, int[] mapping) {
        save(qualifiedName, content);
    }

    @Override
    public void saveClassEntry(String path, String archive, String qualifiedName, String entryName, String content) {
        save(qualifiedName, content);
    }

    private void save(String qualifiedName, String content) {
        if (content != null && !content.isEmpty()) {
            sources.put(qualifiedName + ".java", content);
        }
    }

    @Override
    public void saveFolder(String path) {}

    @Override
    public void copyFile(String source, String path, String entryName) {}

    @Override
    public void createArchive(String path, String archive, Manifest manifest) {}

    @Override
    public void saveDirEntry(String path, String archive, String entryName) {}

    @Override
    public void copyEntry(String source, String path, String archive, String entry) {}

    @Override
    public void closeArchive(String path, String archive) {}
}
