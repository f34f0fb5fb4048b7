package lapidary;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A jar of the modules of the running JDK that a program needs, for analyses that cannot read the
 * image of a JDK or cannot hold all of it.
 */
final class Library {
    static File jar(List<File> program) throws IOException {
        File jar = File.createTempFile("library", ".jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar.toPath()))) {
            zip.setLevel(0);
            for (ResolvedModule module : resolved(modules(program))) {
                add(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module.name()), zip);
            }
        }
        return jar;
    }

    /** The modules that a program needs; all of Java SE if they cannot be determined. */
    private static Set<String> modules(List<File> program) {
        StringWriter said = new StringWriter();
        List<String> command = new ArrayList<>(List.of("--print-module-deps", "--ignore-missing-deps", "--multi-release", "base"));
        program.forEach(file -> command.add(file.getPath()));
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        int code = jdeps.run(new PrintWriter(said), new PrintWriter(OutputStream.nullOutputStream()), command.toArray(String[]::new));
        return code == 0 ? Set.of(said.toString().strip().split(",")) : Set.of("java.se");
    }

    private static Set<ResolvedModule> resolved(Set<String> names) {
        return Configuration.empty().resolve(ModuleFinder.ofSystem(), ModuleFinder.of(), names).modules();
    }

    private static void add(Path module, ZipOutputStream zip) throws IOException {
        List<Path> classes;
        try (Stream<Path> all = Files.walk(module)) {
            classes = all.filter(path -> path.toString().endsWith(".class") && !path.endsWith("module-info.class")).toList();
        }
        for (Path path : classes) {
            zip.putNextEntry(new ZipEntry(module.relativize(path).toString()));
            Files.copy(path, zip);
            zip.closeEntry();
        }
    }
}
