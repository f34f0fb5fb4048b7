package lapidary.verifier;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Judges candidates one after the other. Only the libraries and the baseline are kept between them.
 */
final class Judge {
    private final Libraries libraries;
    private final Settings settings;
    private final Set<Problem> excused = new LinkedHashSet<>();
    private Set<String> originalClasses;

    /** The settings for judging candidates. */
    record Settings(Runtime.Version release, boolean reflectAnnotations) {}

    Judge(List<Path> classPath, Settings settings) throws IOException {
        this.libraries = new Libraries(classPath);
        this.settings = settings;
    }

    /**
     * Sets the baseline: problems of the original, and all classes that the original lacks, are
     * excused from now on.
     */
    Report useBaseline(Path original) throws IOException {
        Map<String, byte[]> classes = Candidate.read(original, settings.release());
        Report report = judge(classes);
        excused.addAll(report.problems());
        originalClasses = Set.copyOf(classes.keySet());
        return report;
    }

    /** Judges a candidate. One that cannot be read at all has a single problem. */
    Report judge(Path candidate) {
        try {
            return judge(Candidate.read(candidate, settings.release()));
        } catch (IOException unreadable) {
            Problem problem = Problem.jvm(candidate.toString(), "cannot be read: " + unreadable);
            return new Report(0, 0, List.of(problem));
        }
    }

    private Report judge(Map<String, byte[]> classes) {
        Set<Problem> problems = new LinkedHashSet<>();
        Universe universe = new Universe(classes, libraries);
        int unlinked = link(universe, classes, problems::add);
        for (ClassFile file : universe.own().values()) {
            guarded(file.name, problems, () -> {
                new References(universe, file, problems::add).check();
                new SourceRules(universe, file, problems::add).check();
            });
        }
        return new Report(classes.size(), unlinked, withoutExcused(problems));
    }

    private int link(Universe universe, Map<String, byte[]> classes, Consumer<Problem> report) {
        Linking linking = new Linking(new CandidateLoader(classes, libraries), settings.reflectAnnotations(), report);
        int unlinked = 0;
        for (String name : classes.keySet()) {
            ClassFile file = universe.own().get(name);
            if (file != null && file.is(ClassFile.MODULE)) {
                continue;
            }
            boolean isGeneric = file != null && file.mentionsGenerics();
            unlinked += linking.check(name, isGeneric) ? 0 : 1;
        }
        return unlinked;
    }

    /** Runs a check that reads attributes for the first time; they may be malformed. */
    private static void guarded(String where, Set<Problem> problems, Runnable check) {
        try {
            check.run();
        } catch (MalformedClassException | IndexOutOfBoundsException malformed) {
            problems.add(Problem.jvm(where, "ClassFormatError: " + malformed.getMessage()));
        }
    }

    private List<Problem> withoutExcused(Collection<Problem> problems) {
        return problems.stream().filter(problem -> !isExcused(problem)).toList();
    }

    private boolean isExcused(Problem problem) {
        String missing = problem.missingClass();
        boolean neverExisted = missing != null && originalClasses != null && !originalClasses.contains(missing);
        return neverExisted || excused.contains(problem);
    }
}
