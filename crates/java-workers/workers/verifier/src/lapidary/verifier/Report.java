package lapidary.verifier;

import java.util.List;

/** The verdict on one candidate. */
record Report(int classes, int unlinkedClasses, List<Problem> problems) {
    private static final int SHOWN = 5;

    long count(Problem.Judge judge) {
        return problems.stream().filter(problem -> problem.judge() == judge).count();
    }

    /** Whether the candidate is valid. Problems that only a compiler would reject do not count. */
    boolean isValid() {
        return count(Problem.Judge.JVM) == 0;
    }

    int exitCode() {
        return isValid() ? 0 : 1;
    }

    /** A line of figures, then the first problems of either kind, each on an indented line. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(classes).append(" classes, ")
                .append(unlinkedClasses).append(" not linked, ")
                .append(count(Problem.Judge.JVM)).append(" problems, ")
                .append(count(Problem.Judge.SOURCE)).append(" source problems\n");
        show(Problem.Judge.JVM, "  ", text);
        show(Problem.Judge.SOURCE, "  source: ", text);
        return text.toString();
    }

    private void show(Problem.Judge judge, String prefix, StringBuilder text) {
        problems.stream()
                .filter(problem -> problem.judge() == judge)
                .limit(SHOWN)
                .forEach(problem -> text.append(prefix).append(problem.text()).append('\n'));
    }
}
