//! `lapidary triage`: verdicts for analyses that are known to be right or wrong, and clear messages
//! for everything that can go wrong.

use crate::support;

use lapidary_testkit::{javac, javac_texts};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support::{Place, Run};
use tempfile::TempDir;

const SOURCE: &str = "
    class Hello {
        public static void main(String[] args) throws Exception {
            plain();
            Hello.class.getMethod(\"hidden\").invoke(null);
        }
        static void plain() { }
        public static void hidden() { }
    }
    class Hangs { public static void main(String[] args) throws Exception { Thread.sleep(1000000); } }
    class Fails { public static void main(String[] args) { throw new IllegalStateException(\"on purpose\"); } }
    class Reads {
        public static void main(String[] args) throws Exception { if (System.in.read() == 'y') yes(); }
        static void yes() { }
    }
    class Lambdas {
        public static void main(String[] args) { Runnable later = () -> unused(args.length); later.run(); more(); }
        static void unused(int number) { }
        static void more() { System.out.println(\"more\"); }
    }
    class NoMain { }
    class Forks {
        public static void main(String[] args) throws Exception { new ProcessBuilder(\"sleep\", \"4321\").start(); after(); }
        static void after() { }
    }
    class Exits {
        public static void main(String[] args) { before(); System.exit(3); }
        static void before() { }
    }
    class Hungry {
        public static void main(String[] args) { for (java.util.List<long[]> all = new java.util.ArrayList<>();;) all.add(new long[1 << 16]); }
    }
    class Twice {
        public static void main(String[] args) throws Exception {
            Twice.class.getMethod(\"hidden\").invoke(null);
            plain();
        }
        public static void hidden() { inner(); }
        static void inner() { }
        static void plain() { }
    }
";

fn classes() -> PathBuf {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let directory = CLASSES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        javac_texts(&[], directory.path(), &[("All.java", SOURCE)]);
        fs::remove_file(directory.path().join("All.java")).unwrap();
        directory
    });
    directory.path().to_owned()
}

/// Runs a triage without the built-in analyses, which have tests of their own.
fn triage(main: &str, options: &[&str]) -> Run {
    let classes = classes();
    let arguments = ["triage", classes.to_str().unwrap(), "--main", main, "--own", "none", "--others", "none"];
    Place::new().lapidary(&[&arguments, options].concat())
}

/// An analysis that always answers with these methods of `Hello`.
fn answering(name: &str, methods: &[&str]) -> String {
    let lines: Vec<String> = methods
        .iter()
        .map(|method| match *method {
            "main" => "echo 'Hello.main:([Ljava/lang/String;)V'".to_owned(),
            method => format!("echo 'Hello.{method}:()V'"),
        })
        .collect();
    format!("{name}={}", lines.join("; "))
}

#[test]
fn who_is_alone_has_a_bug_and_what_nobody_knows_is_a_feature() {
    let (good, bad) = (answering("good", &["main", "plain"]), answering("bad", &["main"]));
    let other = answering("other", &["main", "plain"]);
    let run = triage("Hello", &["--analysis", &good, "--analysis", &bad, "--analysis", &other, "--json", "-"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let analyses = &found["programs"][0]["analyses"];
    assert_eq!((&analyses[0]["verdict"], &analyses[0]["first_lost"]), (&"feature".into(), &"Hello.hidden:()V".into()));
    assert_eq!((&analyses[1]["verdict"], &analyses[1]["first_lost"]), (&"bug".into(), &"Hello.plain:()V".into()));
    assert_eq!(analyses[0]["causes"][0], "Method.invoke");
    assert_eq!(found["complete"], true);
}

#[test]
fn a_person_reads_the_stack_and_the_cause() {
    let (good, other) = (answering("good", &["main", "plain"]), answering("other", &["main", "plain"]));
    let run = triage("Hello", &["--analysis", &good, "--analysis", &other]);
    assert_eq!(run.code, Some(0), "a feature is no bug: {run:?}");
    for text in
        ["feature", "first lost method Hello.hidden:()V", "Method.invoke", "Hello.main:([Ljava/lang/String;)V @"]
    {
        assert!(run.stdout.contains(text), "{text}: {run:?}");
    }
}

#[test]
fn analyses_that_fail_have_no_voice() {
    let good = answering("good", &["main", "plain", "hidden"]);
    let options = ["--analysis", &good, "--analysis", "crash=echo boom >&2; exit 3", "--analysis", "garbage=echo what"];
    let run = triage("Hello", &[&options[..], &["--analysis", "slow=sleep 60", "--timeout", "5"]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    for text in ["good     sound", "exit code 3: boom", "`what`", "timed out"] {
        assert!(run.stdout.contains(text), "{text}: {run:?}");
    }
}

#[test]
fn programs_that_behave_badly_are_still_judged() {
    let run = triage("Hangs", &["--analysis", "a=echo 'Hangs.main:([Ljava/lang/String;)V'", "--timeout", "3"]);
    assert!(run.code == Some(0) && run.stderr.contains("timed out"), "{run:?}");
    let run = triage("Fails", &["--analysis", "a=echo 'Fails.main:([Ljava/lang/String;)V'"]);
    assert!(run.code == Some(0) && run.stderr.contains("on purpose"), "{run:?}");
}

#[test]
fn programs_that_fork_or_exit_are_still_judged() {
    let run = triage("Forks", &["--analysis", "a=echo 'Forks.main:([Ljava/lang/String;)V'"]);
    assert!(run.code == Some(0) && run.stdout.contains("misses Forks.after:()V"), "{run:?}");
    let run = triage("Exits", &["--analysis", "a=echo 'Exits.main:([Ljava/lang/String;)V'"]);
    assert!(run.code == Some(0) && run.stdout.contains("misses Exits.before:()V"), "{run:?}");
    assert!(run.stderr.contains("exit code 3"), "{run:?}");
}

#[test]
fn an_analysis_without_enough_memory_says_so() {
    let good = answering("good", &["main", "plain", "hidden"]);
    let hungry = "hungry=java -Xmx16m -cp {classpath} Hungry {out}";
    let run = triage("Hello", &["--analysis", &good, "--analysis", hungry]);
    assert!(run.code == Some(0) && run.stdout.contains("exit code 1: Exception in thread"), "{run:?}");
    assert!(run.stdout.contains("OutOfMemoryError"), "{run:?}");
}

#[test]
fn a_jdk_that_is_missing_or_too_old_is_named() {
    let (place, classes) = (Place::new(), classes());
    place.script("old/bin/java", "echo 'java version \"1.8.0_392\"' >&2");
    let with_home = |home: PathBuf| {
        let mut command = place.command();
        command.args(["triage", classes.to_str().unwrap(), "--main", "Hello"]).env("JAVA_HOME", home);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = with_home(place.path("old"));
    assert!(code == Some(2) && said.contains("is Java 8; tracing needs Java 11 or newer"), "{said}");
    let (code, said) = with_home(place.path("nowhere"));
    assert!(code == Some(2) && said.contains("nowhere") && said.contains("JAVA_HOME"), "{said}");
}

#[test]
fn a_jar_without_a_main_class_needs_one() {
    let place = Place::new();
    let jar = place.path("app.jar");
    let made = Command::new("jar").arg("cf").arg(&jar).arg("-C").arg(classes()).arg("Hello.class").output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let run = place.lapidary(&["triage", jar.to_str().unwrap(), "--own", "rta", "--others", "none"]);
    assert!(run.code == Some(2) && run.stderr.contains("--main"), "{run:?}");
}

/// Reflection comes first and is what the verdict of the tables is about; the bug behind it is
/// found all the same.
#[test]
fn a_feature_at_the_start_hides_no_bug() {
    let named = |name: &str, methods: &[&str]| answering(name, methods).replace("Hello.", "Twice.");
    let (good, bad) = (named("good", &["main", "plain"]), named("bad", &["main"]));
    let other = named("other", &["main", "plain"]);
    let options = ["--analysis", &good, "--analysis", &bad, "--analysis", &other];
    let run = triage("Twice", &options);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("feature  misses Twice.hidden:()V and 2 later"), "{run:?}");
    assert!(run.stdout.contains("bug      misses Twice.plain:()V as well (easiness 0.67)"), "{run:?}");
    let run = triage("Twice", &[&options[..], &["--json", "-"]].concat());
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let bad = &found["programs"][0]["analyses"][1];
    assert_eq!((&bad["verdict"], &bad["further"][0]["verdict"]), (&"feature".into(), &"bug".into()));
    assert_eq!(bad["further"][0]["method"], "Twice.plain:()V");
}

#[test]
fn input_is_what_the_user_gives() {
    let place = Place::new();
    let file = place.path("in");
    fs::write(&file, "y").unwrap();
    let asked = ["--analysis", "a=echo 'Reads.main:([Ljava/lang/String;)V'"];
    let run = triage("Reads", &[&asked[..], &["--stdin", file.to_str().unwrap()]].concat());
    assert!(run.stdout.contains("misses Reads.yes:()V"), "{run:?}");
    let run = triage("Reads", &asked);
    assert!(run.stdout.contains("sound"), "nothing to read is no error: {run:?}");
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let some = answering("some", &["main"]);
    for (main, options, reason) in [
        ("NoMain", &["--analysis", &some][..], "main"),
        ("Elsewhere", &["--analysis", &some], "Elsewhere"),
        ("Hello", &[], "no analysis"),
        ("Hello", &["--analysis", "nonsense"], "NAME='COMMAND"),
        ("Hello", &["--analysis", &some, "--analysis", &some], "two analyses"),
        ("Hello", &["--analysis", &some, "--weight", "other=2"], "other"),
        ("Hello", &["--analysis", &some, "--weight", "some=-1"], "above 0"),
        ("Hello", &["--analysis", &some, "--bug-from", "2"], "between 0 and 1"),
        ("Hello", &["--analysis", &some, "--reduce", "other", "--out", "small"], "other"),
        ("Hello", &["--analysis", &some, "--bug-from", "0.2", "--feature-below", "0.8"], "both"),
        ("Hello", &["--analysis", "crash=exit 7"], "no analysis answered"),
        ("Hello", &["--analysis", &some, "--own", "doop"], "doop"),
    ] {
        let run = triage(main, options);
        assert!(run.code == Some(2) && run.stderr.contains(reason), "{reason}: {run:?}");
    }
    let run = Place::new().lapidary(&["triage", "nowhere.jar", "--main", "M"]);
    assert!(run.code == Some(2) && run.stderr.contains("nowhere.jar"), "{run:?}");
}

#[test]
fn a_corpus_goes_on_when_a_program_does_not() {
    let place = Place::new();
    let classes = classes();
    let program = |name: &str, main: &str| {
        format!(
            "[[program]]\nname = \"{name}\"\nclasspath = [\"{}\"]\nmain = \"{main}\"\ntruth = {{ bad = \"bug\", good = \"feature\" }}\n",
            classes.display()
        )
    };
    let corpus = place.path("programs.toml");
    fs::write(&corpus, program("one", "Hello") + &program("broken", "NoMain") + &program("two", "Hello")).unwrap();
    let (good, bad) = (answering("good", &["main", "plain"]), answering("bad", &["main"]));
    let (json, page) = (place.path("out.json"), place.path("out.html"));
    let run = place.lapidary(&[
        "triage",
        "--corpus",
        corpus.to_str().unwrap(),
        "--own",
        "none",
        "--others",
        "none",
        "--analysis",
        &good,
        "--analysis",
        &bad,
        "--json",
        json.to_str().unwrap(),
        "--report",
        page.to_str().unwrap(),
    ]);
    assert!(run.code == Some(1) && run.stderr.contains("broken"), "{run:?}");
    let found: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(found["programs"].as_array().unwrap().len(), 2);
    assert_eq!(found["quality"]["bug"]["precision"], 1.0);
    assert_eq!(found["quality"]["feature"]["recall"], 1.0);
    assert!(found["notes"][0].as_str().unwrap().contains("broken"));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<figure class=\"chart\">") && page.contains("Hello.plain:()V") && !page.contains("src="));
    assert!(page.contains("really bugs"), "{page}");
    let stacks: Vec<&str> = page.split("href=\"#loss-").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(!stacks.is_empty() && stacks.iter().all(|stack| page.contains(&format!("id=\"loss-{stack}\""))));
}

/// The JVM follows `Class-Path` of a manifest, and so must the analyses.
#[test]
fn jars_that_a_manifest_names_are_part_of_the_program() {
    let place = Place::new();
    let manifest = place.write("manifest", "Main-Class: Uses\nClass-Path: parts/my%20lib.jar\n");
    let source =
        "class Uses { public static void main(String[] args) { new Part().run(); } } class Part { void run() { } }";
    let source = place.write("Uses.java", source);
    javac(&[], &place.path("classes"), [source]);
    fs::create_dir(place.path("parts")).unwrap();
    let jar = |options: &str, name: &str, manifest: Option<&Path>, class: &str| {
        let mut command = Command::new("jar");
        command.arg(options).arg(place.path(name)).args(manifest).arg("-C").arg(place.path("classes")).arg(class);
        assert!(command.status().unwrap().success());
    };
    jar("cfm", "app.jar", Some(&manifest), "Uses.class");
    jar("cf", "parts/my lib.jar", None, "Part.class");
    let asked = ["--own", "rta", "--others", "none"];
    let run = place.lapidary(&[&["triage", "app.jar"][..], &asked].concat());
    assert!(run.code == Some(0) && run.stdout.contains("rta  sound"), "{run:?}");
    place
        .write("programs.toml", "[[program]]\nname = \"one\"\nclasspath = [\"app.jar\"]\ntruth = { rtaa = \"bug\" }\n");
    let run = place.lapidary(&[&["triage", "--corpus", "programs.toml"][..], &asked].concat());
    assert!(run.code == Some(0) && run.stdout.contains("one: easiness 1.00, all sound"), "{run:?}");
    assert!(run.stderr.contains("`rtaa`"), "{run:?}");
}

#[test]
fn the_result_of_an_earlier_reduction_is_refused_at_once() {
    let place = Place::new();
    place.write("small", "");
    let classes = classes();
    let given = ["triage", classes.to_str().unwrap(), "--main", "Hangs", "--reduce", "--out", "small"];
    let run = place.lapidary(&given);
    assert!(run.code == Some(2) && run.stderr.contains("--force"), "{run:?}");
    assert!(!run.stderr.contains("--resume"), "{run:?}");
}

#[test]
fn a_file_that_is_no_jar_is_named_once() {
    let place = Place::new();
    place.write("bad.jar", "no jar");
    let run = place.lapidary(&["triage", "bad.jar", "--main", "M", "--own", "rta", "--others", "none"]);
    assert!(run.code == Some(2) && run.stderr.matches("bad.jar").count() == 1, "{run:?}");
}

#[test]
fn inputs_of_tools_that_are_missing_are_named() {
    let place = Place::new();
    place.write("there.txt", "x");
    place.write(
        "tools.toml",
        "[[tool]]\nname = \"a\"\ncommand = \"true\"\n[[tool]]\nname = \"b\"\ncommand = \"true\"\n",
    );
    let input = |name: &str| format!("[[program]]\nname = \"{name}\"\ninput = \"{name}.txt\"\n");
    place.write("inputs.toml", input("gone") + &input("there"));
    let run = place.lapidary(&["triage", "--tools", "tools.toml", "--corpus", "inputs.toml"]);
    assert!(run.code == Some(0) && run.stderr.contains("gone.txt") && !run.stdout.contains("gone"), "{run:?}");
}

#[test]
fn tools_of_any_kind_are_triaged() {
    let place = Place::new();
    let tools = place.path("tools.toml");
    let input = place.path("input.txt");
    fs::write(&input, "x").unwrap();
    let tool = |name: &str, command: &str| format!("[[tool]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
    fs::write(
        &tools,
        tool("right", "grep -q x {input}") + &tool("wrong", "! grep -q x {input}") + &tool("gone", "exit 9"),
    )
    .unwrap();
    let run = place.lapidary(&["triage", input.to_str().unwrap(), "--tools", tools.to_str().unwrap()]);
    assert!(run.code == Some(1) && run.stdout.contains("wrong  bug") && run.stdout.contains("exit code 9"), "{run:?}");
}

/// The built-in analyses, one of them with a defect.
#[test]
fn a_defect_of_our_own_is_found() {
    let classes = classes();
    let own =
        ["triage", classes.to_str().unwrap(), "--main", "Lambdas", "--others", "none", "--own", "rta,rta+no-lambdas"];
    let run = Place::new().lapidary(&own);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("rta+no-lambdas  bug      misses Lambdas.lambda$main$0"), "{run:?}");
    let run =
        Place::new().lapidary(&["triage", classes.to_str().unwrap(), "--main", "Lambdas", "--own", "rta+no-such"]);
    assert!(run.code == Some(2) && run.stderr.contains("no-such"), "{run:?}");
}
