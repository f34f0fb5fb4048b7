package lapidary;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.benf.cfr.reader.api.CfrDriver;
import org.benf.cfr.reader.api.ClassFileSource;
import org.benf.cfr.reader.api.OutputSinkFactory;
import org.benf.cfr.reader.api.SinkReturns;
import org.benf.cfr.reader.bytecode.analysis.parse.utils.Pair;

/** CFR with its default options. */
final class Cfr implements Decompiler.OneByOne {
    @Override
    public String name() {
        return "cfr";
    }

    @Override
    public String decompile(String name, Function<String, byte[]> classFiles) {
        Output output = new Output();
        CfrDriver driver = new CfrDriver.Builder()
                .withClassFileSource(new Input(classFiles))
                .withOutputSink(output)
                .withOptions(Map.of("analyseas", "CLASS"))
                .build();
        driver.analyse(List.of(name + ".class"));
        if (output.text == null) {
            throw output.failure();
        }
        return output.text;
    }

    private record Input(Function<String, byte[]> classFiles) implements ClassFileSource {
        @Override
        public Pair<byte[], String> getClassFileContent(String path) throws IOException {
            String name = path.endsWith(".class") ? path.substring(0, path.length() - ".class".length()) : path;
            byte[] own = classFiles.apply(name);
            byte[] found = own != null ? own : Platform.find(name);
            if (found == null) {
                throw new IOException("no such class: " + name);
            }
            return Pair.make(found, path);
        }

        @Override
        public void informAnalysisRelativePathDetail(String usePath, String classFilePath) {}

        @Override
        public Collection<String> addJar(String path) {
            return List.of();
        }

        @Override
        public String getPossiblyRenamedPath(String path) {
            return path;
        }
    }

    private static final class Output implements OutputSinkFactory {
        private String text;
        private Throwable thrown;

        @Override
        public List<SinkClass> getSupportedSinks(SinkType type, Collection<SinkClass> available) {
            return switch (type) {
                case JAVA -> List.of(SinkClass.DECOMPILED);
                case EXCEPTION -> List.of(SinkClass.EXCEPTION_MESSAGE);
                default -> List.of(SinkClass.STRING);
            };
        }

        @Override
        public <T> Sink<T> getSink(SinkType type, SinkClass form) {
            return switch (form) {
                case DECOMPILED -> made -> text = ((SinkReturns.Decompiled) made).getJava();
                case EXCEPTION_MESSAGE -> message -> thrown = ((SinkReturns.ExceptionMessage) message).getThrownException();
                default -> ignored -> {};
            };
        }

        RuntimeException failure() {
            if (thrown instanceof Error error) {
                throw error;
            }
            return thrown instanceof RuntimeException failure ? failure : new IllegalStateException("no source", thrown);
        }
    }
}
