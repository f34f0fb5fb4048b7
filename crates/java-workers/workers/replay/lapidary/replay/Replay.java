package lapidary.replay;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Replays one path on the real JVM: calls a method with given values and writes a report of how it
 * ends.
 *
 * <pre>Replay REPORT CLASS METHOD DESCRIPTOR WORD...</pre>
 */
public final class Replay {
    private Replay() {}

    public static void main(String[] arguments) throws Exception {
        Path report = Path.of(arguments[0]);
        stayWithParent();
        for (int at = 4; at < arguments.length; at++) {
            Inputs.give(arguments[at]);
        }
        Target target = Target.find(arguments[1], arguments[2], arguments[3]);
        String ending;
        try {
            ending = Report.of(target, Inputs.of(target));
        } catch (NotAllowed refused) {
            ending = "refused";
        } catch (LinkageError | VirtualMachineError thrown) {
            ending = Report.thrown(thrown);
        }
        System.out.flush();
        System.err.flush();
        Files.write(report, ending.getBytes(StandardCharsets.UTF_8));
        // Threads that the program left behind must not keep the JVM alive.
        Runtime.getRuntime().halt(0);
    }

    /** Ends this JVM when its parent process has ended. */
    private static void stayWithParent() {
        Optional<Long> parent = parent();
        Thread watcher = new Thread(() -> {
            while (parent.equals(parent())) {
                try {
                    Thread.sleep(200);
                } catch (InterruptedException interrupted) {
                    // The program may interrupt all threads.
                }
            }
            Runtime.getRuntime().halt(1);
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private static Optional<Long> parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid);
    }
}
