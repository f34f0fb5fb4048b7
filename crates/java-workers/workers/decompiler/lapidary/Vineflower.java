package lapidary;

import java.nio.file.Path;
import java.util.Map;
import org.jetbrains.java.decompiler.main.decompiler.BaseDecompiler;

/** Vineflower, which reads the whole program, with its default options and one thread. */
final class Vineflower implements Decompiler.AllAtOnce {
    @Override
    public String name() {
        return "vineflower";
    }

    @Override
    public Map<String, String> decompile(Path candidate) {
        FernflowerFiles files = new FernflowerFiles();
        BaseDecompiler decompiler = new BaseDecompiler(files, Map.of("thread-count", "1"), FernflowerFiles.SILENCE);
        decompiler.addSource(candidate.toFile());
        decompiler.decompileContext();
        return files.sources;
    }
}
