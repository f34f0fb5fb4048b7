//! Tests of the agent on real JVMs: methods that run are recorded, in order, however the program
//! ends.

use lapidary_predicate::Ending;
use lapidary_reduce::Cancel;
use lapidary_tracer::{JavaCommand, Jdk, Recording, Run, Trace, TraceError};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A program of one source file whose class is `Main`.
struct Compiled {
    place: TempDir,
}

impl Compiled {
    fn new(source: &str) -> Compiled {
        let place = tempfile::tempdir().unwrap();
        lapidary_testkit::javac_texts(&[], place.path(), &[("Main.java", source)]);
        Compiled { place }
    }

    fn program(&self) -> JavaCommand {
        JavaCommand {
            class_path: vec![self.place.path().to_owned()],
            main: "Main".to_owned(),
            arguments: Vec::new(),
            stdin: None,
            options: Vec::new(),
        }
    }

    fn run(&self) -> Run {
        self.program().trace(&Jdk::installed().unwrap(), &Recording::default(), &Cancel::new()).unwrap()
    }
}

fn names(trace: &Trace) -> Vec<&str> {
    trace.methods().map(|method| method.as_str()).collect()
}

#[test]
fn methods_come_once_and_in_order() {
    let run = Compiled::new(
        "public class Main {
            static { System.out.println(\"init\"); }
            interface Shape { default int twice() { return 2 * size(); } int size(); }
            record Square(int side) implements Shape { public int size() { return side * side; } }
            public static void main(String[] args) {
                for (int i = 0; i < 3; i++) once(i);
                Runnable later = () -> System.out.println(new Square(3).twice());
                later.run();
            }
            static void once(int i) { }
            static void never() { }
        }",
    )
    .run();
    assert_eq!(
        names(&run.trace),
        [
            "Main.<clinit>:()V",
            "Main.main:([Ljava/lang/String;)V",
            "Main.once:(I)V",
            "Main.lambda$main$0:()V",
            "Main$Square.<init>:(I)V",
            "Main$Shape.twice:()I",
            "Main$Square.size:()I",
        ]
    );
    assert_eq!((run.ending, run.stdout.as_str()), (Ending::Exited(0), "init\n18\n"));
    assert!(run.trace.is_complete);
}

#[test]
fn the_stack_leads_to_main() {
    let run = Compiled::new(
        "public class Main {
            public static void main(String[] args) throws Exception { Main.class.getMethod(\"target\").invoke(null); }
            public static void target() { }
        }",
    )
    .run();
    let target = run.trace.first_lost(|method| method.name() == "main").unwrap();
    let stack: Vec<_> = target.stack.iter().map(|frame| frame.method.name()).collect();
    assert_eq!((stack[0], *stack.last().unwrap()), ("target", "main"));
    assert!(target.stack.iter().any(|frame| frame.method.as_str().starts_with("java/lang/reflect/Method.invoke:")));
}

#[test]
fn only_the_first_lost_method_has_a_stack_if_asked() {
    let compiled = Compiled::new(
        "public class Main {
            public static void main(String[] args) { known(); lost(); later(); }
            static void known() { } static void lost() { } static void later() { }
        }",
    );
    let known = ["Main.main:([Ljava/lang/String;)V", "Main.known:()V"].map(|name| name.parse().unwrap());
    let recording = Recording { reachable: Some(known.into()), ..Recording::default() };
    let run = compiled.program().trace(&Jdk::installed().unwrap(), &recording, &Cancel::new()).unwrap();
    let depths: Vec<_> = run.trace.entries.iter().map(|entry| (entry.method.name(), entry.stack.len())).collect();
    assert_eq!(depths, [("main", 0), ("known", 0), ("lost", 2), ("later", 0)]);
}

/// However a program ends, the methods it entered before are recorded.
#[test]
fn every_end_leaves_the_trace() {
    let ends = [
        ("System.exit(3);", Ending::Exited(3), true),
        ("Runtime.getRuntime().halt(4);", Ending::Exited(4), false),
        ("throw new IllegalStateException();", Ending::Exited(1), true),
        (
            "new ProcessBuilder(\"kill\", \"-9\", \"\" + ProcessHandle.current().pid()).start().waitFor(); Thread.sleep(9999);",
            Ending::Signalled(9),
            false,
        ),
    ];
    for (end, ending, is_complete) in ends {
        let run = Compiled::new(&format!(
            "public class Main {{
                public static void main(String[] args) throws Exception {{
                    Runtime.getRuntime().addShutdownHook(new Thread(Main::hook));
                    last();
                    {end}
                }}
                static void last() {{ }}
                static void hook() {{ }}
            }}"
        ))
        .run();
        assert_eq!(run.ending, ending, "{end}");
        assert_eq!(names(&run.trace)[1], "Main.last:()V", "{end}");
        assert_eq!(names(&run.trace).contains(&"Main.hook:()V"), is_complete, "{end}");
    }
}

#[test]
fn threads_of_all_kinds_are_seen() {
    let run = Compiled::new(
        "public class Main {
            public static void main(String[] args) throws Exception {
                Thread daemon = new Thread(() -> { inDaemon(); while (true) Thread.onSpinWait(); });
                daemon.setDaemon(true);
                daemon.start();
                var pool = java.util.concurrent.Executors.newFixedThreadPool(4);
                for (int i = 0; i < 64; i++) pool.execute(Main::inPool);
                pool.shutdown();
                pool.awaitTermination(9, java.util.concurrent.TimeUnit.SECONDS);
                while (!seen) Thread.onSpinWait();
            }
            static volatile boolean seen;
            static void inDaemon() { seen = true; }
            static void inPool() { }
        }",
    )
    .run();
    let names = names(&run.trace);
    assert!(names.contains(&"Main.inDaemon:()V") && names.contains(&"Main.inPool:()V"), "{names:?}");
    assert_eq!(names.iter().filter(|name| **name == "Main.inPool:()V").count(), 1);
}

#[test]
fn generated_classes_are_left_out_and_loaded_ones_are_not() {
    let run = Compiled::new(
        "import java.lang.reflect.*;
        public class Main {
            interface Greeter { String greet(); }
            static class Plugin { static void start() { } }
            static class Loader extends ClassLoader {
                Loader() { super(null); }
                Class<?> load() throws Exception {
                    byte[] bytes = Main.class.getResourceAsStream(\"Main$Plugin.class\").readAllBytes();
                    return defineClass(\"Main$Plugin\", bytes, 0, bytes.length);
                }
            }
            public static void main(String[] args) throws Exception {
                Greeter greeter = (Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(),
                    new Class<?>[] { Greeter.class }, (proxy, method, arguments) -> \"hello\");
                greeter.greet();
                Method start = new Loader().load().getDeclaredMethod(\"start\");
                start.setAccessible(true);
                for (int i = 0; i < 40; i++) start.invoke(null);
            }
        }",
    )
    .run();
    assert_eq!(
        names(&run.trace),
        [
            "Main.main:([Ljava/lang/String;)V",
            "Main.lambda$main$0:(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
            "Main$Loader.<init>:()V",
            "Main$Loader.load:()Ljava/lang/Class;",
            "Main$Plugin.start:()V",
        ]
    );
}

#[test]
fn a_program_that_hangs_is_ended_with_its_children() {
    let compiled = Compiled::new(
        "public class Main {
            public static void main(String[] args) throws Exception {
                new ProcessBuilder(\"sleep\", \"7654321\").inheritIO().start();
                hang();
            }
            static void hang() { while (true) Thread.onSpinWait(); }
        }",
    );
    // On a busy machine the program may not reach `hang` in time, so the limit is raised.
    let jdk = Jdk::installed().unwrap();
    for seconds in [3, 10, 100, 1000] {
        let recording = Recording { timeout: Duration::from_secs(seconds), ..Recording::default() };
        let run = compiled.program().trace(&jdk, &recording, &Cancel::new()).unwrap();
        assert!(matches!(run.ending, Ending::TimedOut(_)));
        if names(&run.trace).last() == Some(&"Main.hang:()V") {
            break;
        }
        assert_ne!(seconds, 1000, "the last method that ran is missing");
    }
    let left = Command::new("pgrep").args(["-f", "^sleep 7654321"]).output().unwrap();
    assert!(left.stdout.is_empty(), "a child of the program is still alive");
}

#[test]
fn objects_of_the_library_are_followed() {
    let compiled = Compiled::new(
        "import java.util.*;
        public class Main {
            static class Item { void used() { } void unused() { } }
            public static void main(String[] args) {
                List<Item> items = new ArrayList<>(List.of(new Item()));
                items.iterator().next().used();
                new Item().unused();
            }
        }",
    );
    let recording = Recording { objects: true, ..Recording::default() };
    let run = compiled.program().trace(&Jdk::installed().unwrap(), &recording, &Cancel::new()).unwrap();
    let object_of = |name: &str| run.trace.entries.iter().find(|entry| entry.method.name() == name).unwrap().object;
    let object = object_of("used").unwrap();
    let by: Vec<_> = run.trace.returned.iter().filter(|returned| returned.object == object).collect();
    assert!(by.iter().any(|returned| returned.by.name() == "next" && returned.class == "LMain$Item;"), "{by:?}");
    assert_eq!(object_of("unused"), None);
}

#[test]
fn a_program_that_cannot_start_says_why() {
    let compiled = Compiled::new("public class Main { static void helper() { } }");
    let jdk = Jdk::installed().unwrap();
    let problem = compiled.program().trace(&jdk, &Recording::default(), &Cancel::new()).unwrap_err();
    assert!(problem.to_string().contains("main"), "{problem}");
    let missing = JavaCommand { main: "Elsewhere".to_owned(), ..compiled.program() };
    let problem = missing.trace(&jdk, &Recording::default(), &Cancel::new()).unwrap_err();
    assert!(problem.to_string().contains("Elsewhere"), "{problem}");
    let colon = JavaCommand { class_path: vec![PathBuf::from("a:b")], ..compiled.program() };
    assert!(matches!(colon.trace(&jdk, &Recording::default(), &Cancel::new()), Err(TraceError::Colon(_))));
}

/// The JVM itself can print the methods it touched; the trace holds the same ones.
#[test]
fn the_jvm_saw_the_same_methods() {
    let jdk = Jdk::installed().unwrap();
    // Later releases no longer have the option.
    if jdk.release > 17 {
        return;
    }
    let compiled = Compiled::new(
        "import java.util.*;
        public class Main {
            enum Colour { RED, GREEN; Colour other() { return this == RED ? GREEN : RED; } }
            static abstract class Node implements Comparable<Node> {
                abstract int weight();
                public int compareTo(Node other) { return Integer.compare(weight(), other.weight()); }
            }
            static class Leaf extends Node { int weight() { return 1; } }
            static class Branch extends Node { Node left = new Leaf(); int weight() { return 1 + left.weight(); } }
            public static void main(String[] args) {
                List<Node> nodes = new ArrayList<>(List.of(new Branch(), new Leaf()));
                Collections.sort(nodes);
                nodes.forEach(node -> System.out.println(node.weight() + Colour.RED.other().name()));
            }
            int never() { return 0; }
        }",
    );
    let run = compiled.program().trace(&jdk, &Recording::default(), &Cancel::new()).unwrap();
    let mut ours: Vec<_> = names(&run.trace).into_iter().map(str::to_owned).collect();
    ours.sort();
    let output = Command::new(&jdk.java)
        .args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+LogTouchedMethods", "-XX:+PrintTouchedMethodsAtExit", "-cp"])
        .arg(compiled.place.path())
        .arg("Main")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let touched = text.lines().filter(|line| line.starts_with("Main") && !line.contains("$$Lambda"));
    let mut theirs: Vec<_> = touched.map(|line| line.trim().to_owned()).collect();
    theirs.sort();
    assert_eq!(ours, theirs);
}
