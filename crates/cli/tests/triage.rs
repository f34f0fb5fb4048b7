//! `lapidary triage`: verdicts for analyses that are known to be right or wrong, and clear words about everything that can go wrong.

mod support;

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
";

fn classes() -> PathBuf {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let directory = CLASSES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("All.java");
        fs::write(&source, SOURCE).unwrap();
        let javac = Command::new("javac").arg("-d").arg(directory.path()).arg(&source).output().unwrap();
        assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
        fs::remove_file(source).unwrap();
        directory
    });
    directory.path().to_owned()
}

/// Without our own analyses, which have tests of their own.
fn triage(main: &str, options: &[&str]) -> Run {
    let classes = classes();
    let arguments = ["triage", classes.to_str().unwrap(), "--main", main, "--own", "none", "--others", "none"];
    Place::new().lapidary(&[&arguments, options].concat())
}

/// An analysis that answers with these methods of `Hello`, whatever it is asked.
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
        ("Hello", &["--analysis", &some, "--reduce", "other"], "other"),
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
    assert!(page.contains("<svg") && page.contains("Hello.plain:()V") && !page.contains("src="));
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

/// Our own analyses, one of them with a defect.
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

#[test]
fn a_bug_becomes_a_small_program() {
    let place = Place::new();
    let source = place.write(
        "Small.java",
        "class Small {
            public static void main(String[] args) { System.out.println(\"noise\"); lost(); }
            static void lost() { more(); }
            static void more() { }
        }
        class Extra { }",
    );
    let (classes, small) = (place.path("classes"), place.path("small"));
    let javac = Command::new("javac").arg("-d").arg(&classes).arg(&source).output().unwrap();
    assert!(javac.status.success(), "{javac:?}");
    let rest = "echo 'Small.main:([Ljava/lang/String;)V'; echo 'Small.more:()V'";
    let (good, bad) = (format!("good={rest}; echo 'Small.lost:()V'"), format!("bad={rest}"));
    let given = [
        "triage",
        classes.to_str().unwrap(),
        "--main",
        "Small",
        "--own",
        "none",
        "--others",
        "none",
        "--analysis",
        &good,
    ];
    let reduce = ["--analysis", &bad, "--reduce", "--out", small.to_str().unwrap()];
    let run = place.lapidary(&[&given[..], &reduce].concat());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("bad still misses Small.lost:()V"), "{run:?}");
    let left: Vec<_> = fs::read_dir(&small).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["Small.class"], "{run:?}");
    assert!(size(&small.join("Small.class")) < size(&classes.join("Small.class")));
    let again = Command::new("java").arg("-cp").arg(&small).arg("Small").output().unwrap();
    assert!(again.status.success() && again.stdout.is_empty(), "what is not needed is gone: {again:?}");
}

fn size(path: &Path) -> u64 {
    path.metadata().unwrap().len()
}
