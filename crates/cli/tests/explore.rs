//! `lapidary explore`: every path with an input, findings that the real JVM confirms.

use crate::support;

use lapidary_classfile::{Class, Version};
use lapidary_jvm::{Compression, write_jar};
use lapidary_testkit::{javac, javac_texts};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use support::{Place, Run, patient};
use tempfile::TempDir;

/// The programs of `tests/explore` and of the examples, compiled once. One class that others need
/// is removed.
fn classes() -> PathBuf {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let directory = CLASSES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = [
            "../../examples/explore/Prices.java",
            "../../examples/explore/Cart.java",
            "tests/explore/Hostile.java",
            "tests/explore/Shown.java",
        ]
        .map(|path| here.join(path));
        let replay = here.join("../java-workers/workers/replay");
        javac(&["-g", "-sourcepath", replay.to_str().unwrap()], directory.path(), sources);
        fs::remove_file(directory.path().join("shop/Missing.class")).unwrap();
        fs::remove_dir_all(directory.path().join("lapidary")).unwrap();
        directory
    });
    directory.path().to_owned()
}

/// Without random testing, which has tests of its own.
fn explore(options: &[&str]) -> Run {
    explore_all(&[&["--fuzz-first", "0"], options].concat())
}

fn explore_all(options: &[&str]) -> Run {
    let classes = classes();
    let arguments = ["explore", classes.to_str().unwrap()];
    Place::new().lapidary(&patient(&[&arguments, options].concat()))
}

#[test]
fn every_path_has_an_input_and_an_outcome() {
    let run = explore(&["--main", "shop.Prices.grade"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for grade in ["low", "good", "best"] {
        assert!(run.stdout.contains(&format!("returns \"{grade}\"")), "{run:?}");
    }
    assert!(run.stdout.contains("3 paths, all of them; 0 findings"), "{run:?}");
    assert!(run.stdout.contains("lines 3 of 3, branches 4 of 4, in 2 methods of the program"), "{run:?}");
}

#[test]
fn merged_paths_are_fewer() {
    let run = explore(&["--main", "shop.Prices.rank", "--merge"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("1 path, all of them"), "{run:?}");
    assert!(run.stdout.contains("never run: shop/Prices.java:19"), "{run:?}");
}

#[test]
fn what_is_found_happens_on_the_real_machine() {
    let run = explore(&["--main", "shop.Prices.share"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout.contains("finding  (0, 0) throws java.lang.ArithmeticException: / by zero at shop.Prices.share:5"),
        "{run:?}"
    );
    assert!(!run.stdout.contains("not confirmed"), "{run:?}");
    let run = explore(&["--main", "shop.Prices.check", "--findings", "--bound", "2"]);
    assert!(run.stdout.contains("throws java.lang.AssertionError: the secret"), "{run:?}");
    assert!(run.stdout.contains(" 1 finding;"), "{run:?}");
}

#[test]
fn the_object_of_a_method_and_its_fields_are_inputs() {
    let run = explore(&["--main", "shop.Cart.total", "--bound", "1", "--findings"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let null = "finding  shop.Cart{items=null}.total(0) throws java.lang.NullPointerException";
    assert!(run.stdout.contains(null), "{run:?}");
    assert!(
        run.stdout.contains("level=shop.Cart.Level.GOLD}.total(0) throws java.lang.ArithmeticException"),
        "{run:?}"
    );
    assert!(run.stdout.contains("2 findings") && !run.stdout.contains("again    "), "{run:?}");
    assert!(!run.stdout.contains("IllegalArgumentException"), "records keep their invariants: {run:?}");
    let run = explore(&["--main", "shop.Cart.total", "--objects", "constructors"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("new shop.Cart().total(0) returns 0"), "{run:?}");
}

#[test]
fn the_arguments_of_main_are_given_or_symbols() {
    let run = explore(&["--main", "shop.Cart.main", "--", "go"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains(r#"(new java.lang.String[] {"go"}) throws"#), "{run:?}");
    let run = explore(&["--main", "shop.Cart.main"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("1 path, all of them") && run.stdout.contains("    | 0 arguments"), "{run:?}");
    let run = explore(&["--main", "shop.Cart.main", "--symbolic-args", "--bound", "2"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains(r#"finding  (new java.lang.String[] {"go"}) throws"#), "{run:?}");
    let run = explore(&["--main", "shop.Prices.share", "--", "go"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("which shop.Prices.share is not"), "{run:?}");
}

#[test]
fn random_testing_has_a_share_of_its_own() {
    let easy = explore_all(&["--main", "shop.Prices.share", "--fuzz-first", "60", "--fuzz-calls", "100"]);
    assert_eq!(easy.code, Some(1), "{easy:?}");
    let random = |run: &Run| {
        run.stdout.lines().filter(|line| line.starts_with("random ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(random(&easy).len(), 1, "{easy:?}");
    assert!(
        random(&easy)[0].contains("throws java.lang.ArithmeticException: / by zero at shop.Prices.share:5"),
        "{easy:?}"
    );
    assert!(easy.stdout.contains("found by random testing: 1 of 1 different exception; "), "{easy:?}");
    let again = explore_all(&["--main", "shop.Prices.share", "--fuzz-first", "60", "--fuzz-calls", "100"]);
    assert_eq!(random(&easy), random(&again), "the same seed gives the same inputs");
    let hard = explore_all(&["--main", "shop.Hostile.secret", "--fuzz-first", "60", "--fuzz-calls", "300"]);
    assert!(hard.stdout.contains("found by random testing: 0 of 1 different exception; "), "{hard:?}");
    assert!(hard.stdout.contains("throws java.lang.IllegalStateException: secret"), "{hard:?}");
}

#[test]
fn random_testing_serves_programs_that_ask_and_objects() {
    let asks =
        explore_all(&["--main", "shop.Hostile.asks", "--fuzz-first", "60", "--fuzz-calls", "100", "--json", "-"]);
    let summary: Value = serde_json::from_str(&asks.stdout).unwrap();
    let random = &summary["random"];
    assert!(random["calls"] == 100 && random["refused"].as_u64() > Some(0), "{random}");
    assert_eq!(random["also_symbolic"], 1, "{random}");
    let objects = explore_all(&[
        "--main",
        "shop.Cart.total",
        "--bound",
        "1",
        "--fuzz-first",
        "60",
        "--fuzz-calls",
        "200",
        "--findings",
    ]);
    assert!(objects.stdout.contains("random   shop.Cart{items="), "{objects:?}");
}

#[test]
fn deep_inputs_do_not_grow_without_end() {
    let run =
        explore_all(&["--main", "shop.Hostile.leaves", "--depth", "32", "--fuzz-first", "60", "--fuzz-calls", "50"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("0 of 0 different exceptions; 50 calls"), "{run:?}");
    assert!(run.stdout.contains("2 paths, all of them"), "{run:?}");
}

#[test]
fn random_testing_survives_programs_that_do_not_return() {
    for (main, count) in [("shop.Hostile.exits", "exits"), ("shop.Hostile.loops", "too_long")] {
        let run = explore_all(&[
            "--main",
            main,
            "--fuzz-first",
            "60",
            "--fuzz-calls",
            "300",
            "--budget",
            "5m",
            "--paths",
            "0",
            "--json",
            "-",
        ]);
        let summary: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(summary["random"][count].as_u64() > Some(0), "{summary}");
        assert_eq!(summary["findings"], 0, "{summary}");
    }
}

/// The solver factors a large number when the signal comes.
#[test]
fn signals_end_an_exploration_in_good_order() {
    for signal in [Signal::INT, Signal::TERM] {
        let (place, classes) = (Place::new(), classes());
        let main = ["--main", "shop.Hostile.factors", "--fuzz-first", "0", "--json", "out.json"];
        let run = place.start(&[&["explore", classes.to_str().unwrap()], &main[..]].concat());
        std::thread::sleep(Duration::from_secs(2));
        run.signal(signal);
        let run = run.wait().ends_with(3).complains(&["waiting when the run was interrupted"]);
        assert!(run.stdout.contains("paths, not all there are"), "{run}");
        let summary = place.json("out.json");
        assert!(summary["waiting"].as_u64() > Some(0) && summary["undecided"] == 0, "{summary}");
    }
}

#[test]
fn the_solver_keeps_the_time_of_the_exploration() {
    let run = explore(&["--main", "shop.Hostile.factors", "--budget", "1"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stderr.contains("time ran out"), "{run:?}");
}

#[test]
fn what_is_no_solver_is_said_to_be_none() {
    let classes = classes();
    let arguments = ["explore", classes.to_str().unwrap(), "--main", "shop.Hostile.factors"];
    let output = Place::new().command().env("LAPIDARY_SOLVER", "cat").args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("cannot run the solver `cat`: it does not speak SMT-LIB 2"), "{stderr}");
}

/// A JVM that contradicts the prediction, as after a wrong one.
#[test]
fn what_the_real_machine_does_not_do_is_no_finding() {
    let place = Place::new();
    let real =
        fs::canonicalize(Command::new("sh").args(["-c", "command -v javac"]).output().map(path_of).unwrap()).unwrap();
    let home = real.parent().and_then(Path::parent).unwrap();
    place.script("jdk/bin/javac", &format!("exec {} \"$@\"", real.display()));
    place.script(
        "jdk/bin/java",
        "while [ \"$1\" != lapidary.replay.Replay ]; do shift; done\nprintf 'returned\\tI:0' > \"$2\"",
    );
    for part in ["lib", "release", "conf"] {
        std::os::unix::fs::symlink(home.join(part), place.path("jdk").join(part)).unwrap();
    }
    let classes = classes();
    let arguments = ["explore", classes.to_str().unwrap(), "--main", "shop.Prices.share", "--fuzz-first", "0"];
    let output = place.command().env("JAVA_HOME", place.path("jdk")).args(arguments).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stdout.contains("not confirmed: the path throws java.lang.ArithmeticException: / by zero at shop.Prices.share:5, and the real machine returns"), "{stdout}");
    assert!(stdout.contains("; 0 findings;") && !stdout.contains("finding  "), "{stdout}");
}

fn path_of(output: std::process::Output) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn programs_that_misbehave_end_with_a_message() {
    let ends = |method: &str, options: &[&str], code: i32, text: &str| {
        let main = format!("shop.Hostile.{method}");
        let run = explore(&[&["--main", &main], options].concat());
        assert_eq!(run.code, Some(code), "{method}: {run:?}");
        assert!(run.stdout.contains(text), "{method}: {run:?}");
    };
    ends("exits", &[], 0, "(5) exits with 7");
    ends("threads", &[], 3, "is not supported: threads");
    ends("reads", &[], 3, "is not supported: System.in");
    ends("loops", &["--budget", "3"], 3, "not all there are");
    ends("recurses", &[], 1, "throws java.lang.StackOverflowError");
    ends("allocates", &[], 3, "elements in the arrays of one path");
    ends("huge", &[], 3, "elements in the arrays of one path");
}

#[test]
fn the_same_exception_at_the_same_place_is_one_finding() {
    let run = explore(&["--main", "shop.Hostile.fails"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.stdout.matches("finding  ").count(), 1, "{run:?}");
    assert_eq!(run.stdout.matches("again    ").count(), 4, "{run:?}");
    assert!(run.stdout.contains("all of them; 1 finding;"), "{run:?}");
    assert!(run.stdout.contains("4 more paths with the same exceptions at the same places"), "{run:?}");
}

#[test]
fn processes_of_the_program_end_with_it() {
    explore_all(&["--main", "shop.Hostile.starts", "--fuzz-first", "30", "--fuzz-calls", "3"]);
    let commands =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.unwrap().path().join("cmdline")).ok());
    let left = commands.filter(|command| command.starts_with(b"sleep\x0029417")).count();
    assert_eq!(left, 0);
}

#[test]
fn constructors_that_do_not_fit_are_no_refusals() {
    let run = explore(&["--main", "shop.Hostile.given", "--objects", "constructors"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stderr.contains("class shop.Missing is missing"), "{run:?}");
    let run = explore(&["--main", "shop.Hostile.given", "--bound", "4294967299"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn classes_that_are_missing_are_named() {
    let run = explore(&["--main", "shop.Hostile.needs"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.contains("2 paths, not all there are"), "{run:?}");
    assert!(run.stderr.contains("class shop.Missing is missing") && run.stderr.contains("--classpath"), "{run:?}");
    let run = explore(&["--main", "shop.Orphan.nothing"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("class shop.Orphan needs shop.Missing, which is not on the class path"), "{run:?}");
}

/// Another method of the class has a parameter of a missing class.
#[test]
fn optional_dependencies_do_not_hide_findings() {
    let run = explore_all(&["--main", "shop.Shown.divides", "--fuzz-first", "60", "--fuzz-calls", "100"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("finding  (0) throws java.lang.ArithmeticException: / by zero"), "{run:?}");
    assert!(run.stdout.contains("found by random testing: 1 of 1 different exception;"), "{run:?}");
}

#[test]
fn results_look_like_java() {
    let shows = |method: &str, texts: &[&str]| {
        let run = explore(&["--main", &format!("shop.Shown.{method}")]);
        texts.iter().for_each(|text| assert!(run.stdout.contains(text), "{text}: {run:?}"));
    };
    shows("point", &["(0) returns shop.Shown$Point: Point[x=0, name=v]"]);
    shows("level", &["returns shop.Shown$Level: HIGH", "returns shop.Shown$Level: LOW"]);
    shows("boxed", &["returns null", "returns 6\n"]);
    shows("truths", &["returns [true, false]", "returns [false, true]"]);
    shows("list", &["returns java.util.ArrayList: [3]", "returns java.util.Optional: Optional[a]"]);
    shows("letter", &["returns 'x'"]);
    shows("limit", &["returns Infinity"]);
}

#[test]
fn texts_of_the_program_stay_on_their_line() {
    let run = explore(&["--main", "shop.Shown.escapes"]);
    assert!(
        run.stdout.contains(r"throws java.lang.RuntimeException: \u001b[31m\nfinding  fake at shop.Shown"),
        "{run:?}"
    );
    assert!(run.stdout.contains(r"    | \u001b[2J") && !run.stdout.contains('\u{1b}'), "{run:?}");
    assert!(run.stdout.contains("    and 50 more lines"), "{run:?}");
}

/// The real JVM explains which reference was null; the symbolic one does not.
#[test]
fn findings_have_the_message_of_the_real_machine() {
    let run = explore(&["--main", "shop.Shown.length"]);
    assert!(
        run.stdout.contains(r#"throws java.lang.NullPointerException: Cannot invoke "String.length()""#),
        "{run:?}"
    );
}

#[test]
fn what_is_no_program_is_refused() {
    let place = Place::new();
    place.write("bad/shop/Broken.class", b"\xca\xfe\xba\xbe garbage");
    place.write("no.jar", "not a jar");
    let says = |input: &str, main: &str, text: &str| {
        let run = place.lapidary(&["explore", input, "--main", main]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(text), "{run:?}");
    };
    says("bad", "shop.Broken.run", "class shop.Broken in bad cannot be read");
    says("no.jar", "shop.Prices.run", "not a zip archive");
    says("nowhere", "shop.Prices.run", "nowhere");
}

/// The digits of a number do not matter until the program reads them.
#[test]
fn paths_do_not_fork_over_texts_that_nobody_reads() {
    let run = explore(&["--main", "shop.Shown.refuses"]);
    assert!(run.stdout.contains("2 paths, all of them; 1 finding;"), "{run:?}");
    assert!(
        run.stdout
            .contains("finding  (-2147483648) throws java.lang.IllegalArgumentException: negative: -2147483648 at"),
        "{run:?}"
    );
    let run = explore(&["--main", "shop.Shown.tells"]);
    for line in run.stdout.lines().filter(|line| line.contains(" returns ")) {
        let number: i64 = line[1..line.find(')').unwrap()].parse().unwrap();
        let text = format!("<{number}>");
        let text = if (1..100).contains(&number) { format!("{text}{}", text.len()) } else { text };
        assert!(line.ends_with(&format!("returns \"{text}\"")), "{line}");
    }
    assert!(run.stdout.contains("all of them"), "{run:?}");
}

/// The place of the error is where the class was used first, here and on the real JVM.
#[test]
fn an_initialiser_that_fails_is_one_finding() {
    let run = explore_all(&["--main", "shop.Shown.unlucky", "--fuzz-first", "60", "--fuzz-calls", "3"]);
    assert!(run.stdout.contains("throws java.lang.ExceptionInInitializerError at shop.Shown.unlucky"), "{run:?}");
    assert!(run.stdout.contains("found by random testing: 1 of 1 different exception;"), "{run:?}");
}

/// Kotlin's checks of parameters leave themselves out of the trace.
#[test]
fn a_trace_that_the_program_sets_is_the_place() {
    let run = explore(&["--main", "shop.Shown.trimmed"]);
    let found = "finding  (3) throws java.lang.IllegalStateException: three at shop.Shown.trimmed:";
    assert!(run.stdout.contains(found), "{run:?}");
}

#[test]
fn the_switch_of_assertions_is_no_branch() {
    let run = explore(&["--main", "shop.Shown.asserts"]);
    assert!(run.stdout.contains("branches 2 of 2"), "{run:?}");
}

#[test]
fn options_that_make_no_sense_are_refused_at_once() {
    let says = |options: &[&str], text: &str| {
        let run = explore(&[&["--main", "shop.Prices.share"], options].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(text), "{run:?}");
    };
    says(&["--symbolic-args"], "--symbolic-args is for `static void main(String[])`");
    let classes = Place::new();
    let class = classes.write("T.class", "");
    says(&["--report", class.to_str().unwrap()], "the input is never overwritten");
    says(&["--json", "nowhere/out.json"], "the directory of nowhere/out.json does not exist");
    says(&["--memory", "0"], "0 is not in 1..");
    says(&["--bound", "-1"], "-1");
    let run = Place::new().lapidary(&["explore", "shop/Prices.class", "--main", "shop.Prices.share"]);
    assert!(run.code == Some(2) && run.stderr.contains("expected a jar or a directory of classes"), "{run:?}");
}

#[test]
fn what_cannot_be_explored_is_said_clearly() {
    let says = |main: &str, text: &str| {
        let run = explore(&["--main", main]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(text), "{run:?}");
    };
    says("shop.Prizes.share", "there is no class shop.Prizes in");
    says("shop.Prizes.share", "did you mean shop.Prices?");
    says("Prices.share", "did you mean shop.Prices?");
    says("shop.Prices.shares", "class shop.Prices has no method shares; did you mean share?");
    says("Prices", "expected CLASS.METHOD");
    says("shop.Prices", "shop.Prices is a class; name one of its methods, as in shop.Prices.METHOD: check, grade");
    says(
        "shop.Shown$Derived.below",
        "inherits below from shop.Shown$Base; name it there: --main shop.Shown$Base.below",
    );
    says("shop.Prices.many", "several methods are called shop.Prices.many; choose one: --main 'shop.Prices.many(I)I'");
    says("shop.Prices.started", "takes a java.lang.Thread, which can only be null");
    says("shop.Cart.<init>", "is not a method");
    for main in ["shop.Prices.many(J)I", "shop.Prices#many(J)I", "shop.Prices::many(J)I"] {
        let run = explore(&["--main", main]);
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    let run = explore(&["--main", "shop.Shown$Derived.apart"]);
    assert!(run.stdout.contains("finding  (9) throws java.lang.ArithmeticException"), "{run:?}");
}

/// A jar with a chain of subclasses, each of which has the method `f` of the first.
fn chain(place: &Place, length: usize) {
    let main = "class C0 {} class Main extends C0 { static int f(int x) { return x; } }";
    javac_texts(&[], &place.path(""), &[("Main.java", main)]);
    let name = |number: usize| format!("C{number}");
    let version = Version { major: 61, minor: 0 };
    let class = |number: usize| {
        let above = if number + 1 == length { "java/lang/Object".to_owned() } else { name(number + 1) };
        (
            format!("{}.class", name(number)),
            Class::new(version, name(number).as_str(), Some(above.as_str().into())).write().unwrap(),
        )
    };
    let mut classes: Vec<(String, Vec<u8>)> = (0..length).map(class).collect();
    classes.push(("Main.class".to_owned(), fs::read(place.path("Main.class")).unwrap()));
    let entries = classes.iter().map(|(name, bytes)| (name.as_str(), &bytes[..]));
    place.write("chain.jar", write_jar(entries, Compression::Stored).unwrap());
}

#[test]
fn a_chain_of_many_thousand_classes_is_loaded_and_initialised() {
    let place = Place::new();
    chain(&place, 20_000);
    let run = place.lapidary(&patient(&["explore", "chain.jar", "--main", "Main.f", "--fuzz-first", "0"]));
    run.ends_with(0).prints(&["(0) returns 0", "1 path, all of them"]);
}

#[test]
fn the_budget_covers_everything_and_not_only_the_exploration() {
    let run = explore_all(&["--main", "shop.Prices.grade", "--budget", "1ms", "--json", "-"]).ends_with(3);
    let summary = run.json();
    assert_eq!(summary["exhausted"], false, "{summary}");
    assert_eq!(summary["random"], Value::Null, "random testing has no time of its own: {summary}");
}

#[test]
fn an_old_time_limit_is_noted() {
    let (place, classes) = (Place::new(), classes());
    let explore = |options: &[&str]| {
        let arguments = ["explore", classes.to_str().unwrap(), "--main", "shop.Prices.grade", "--fuzz-first", "0"];
        place.lapidary(&[&arguments, options].concat())
    };
    let run = explore(&["--timeout", "30"]);
    run.complains(&["note: --timeout limits one run on the JVM; the limit of the whole search is --budget"]);
    let run = explore(&["--timeout", "30", "--quiet"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}
