package lapidary;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipFile;
import org.jetbrains.java.decompiler.main.decompiler.BaseDecompiler;

/** Fernflower, which reads the whole program, with its default options. */
final class Fernflower implements Decompiler.AllAtOnce {
    @Override
    public String name() {
        return "fernflower";
    }

    @Override
    public Map<String, String> decompile(Path candidate) throws IOException {
        FernflowerFiles files = new FernflowerFiles();
        BaseDecompiler decompiler = new BaseDecompiler(Fernflower::read, files, Map.of(), FernflowerFiles.SILENCE);
        decompiler.addSpace(candidate.toFile(), true);
        decompiler.decompileContext();
        return files.sources;
    }

    private static byte[] read(String file, String entry) throws IOException {
        if (entry == null) {
            return Files.readAllBytes(Path.of(file));
        }
        try (ZipFile zip = new ZipFile(file); InputStream in = zip.getInputStream(zip.getEntry(entry))) {
            return in.readAllBytes();
        }
    }
}
