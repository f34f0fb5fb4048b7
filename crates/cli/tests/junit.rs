//! `explore --junit` and `compare --junit`: Maven runs the tests that they write.

use crate::support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::pair::{compare, pair};
use support::{Place, Run, patient};

/// The programs of `tests/junit`, compiled.
fn programs() -> Place {
    let place = Place::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/junit");
    lapidary_testkit::javac(
        &["-g"],
        &place.path("classes"),
        ["Ledger.java", "Test.java"].map(|name| sources.join(name)),
    );
    place
}

fn explore(place: &Place, method: &str, options: &[&str]) -> Run {
    let arguments = ["explore", "classes", "--bound", "1", "--fuzz-first", "0", "--main", method];
    place.lapidary(&patient(&[&arguments, options].concat()))
}

/// The test classes of a project, below its source directory.
fn test_classes(project: &Path) -> Vec<PathBuf> {
    let sources = project.join("src/test/java");
    let mut found = Vec::new();
    for directory in [sources.clone(), sources.join("shop")] {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        found.extend(entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with("Test.java")));
    }
    found.into_iter().map(|path| path.strip_prefix(&sources).unwrap().to_owned()).collect()
}

/// Runs Maven, with the network only if something was never fetched. Returns its output, and
/// whether all tests passed.
fn maven(project: &Path, options: &[&str]) -> (bool, String) {
    let run = |more: &[&str]| {
        let mut command = Command::new("mvn");
        command.args(["-B", "-q", "test"]).args(options).args(more).current_dir(project);
        let output = command.output().expect("Maven is needed for these tests: `scripts/setup java` installs it");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (passes, printed) = run(&["-o"]);
    if printed.contains("offline mode") { run(&[]) } else { (passes, printed) }
}

/// The tests that Maven ran, and those that failed, from its reports.
fn counts(project: &Path) -> (u64, u64) {
    let (mut tests, mut failed) = (0, 0);
    for entry in fs::read_dir(project.join("target/surefire-reports")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "xml") {
            let text = fs::read_to_string(entry.path()).unwrap();
            tests += text.matches("<testcase ").count() as u64;
            failed += (text.matches("<failure").count() + text.matches("<error").count()) as u64;
        }
    }
    (tests, failed)
}

#[test]
fn every_test_of_an_exploration_passes() {
    let place = programs();
    let methods = [
        ("shop.Ledger.numbers", "15"),
        ("shop.Ledger.floats", "15"),
        ("shop.Ledger.texts", "30"),
        ("shop.Ledger.arrays", "60"),
        ("shop.Ledger.bytes", "15"),
        ("shop.Ledger.add", "80"),
        ("shop.Ledger.counted", "15"),
        ("shop.Ledger.most", "30"),
        ("shop.Ledger.over(J)I", "15"),
        ("Test.run", "15"),
    ];
    let (mut wanted, project) = (0, place.path("all"));
    for (method, paths) in methods {
        let name = if wanted == 0 { "all" } else { "one" };
        let json =
            explore(&place, method, &["--paths", paths, "--junit", name, "--json", "-", "--aliases", "all"]).stdout;
        let report: Value = serde_json::from_str(&json).unwrap();
        let tests = report["junit"]["tests"].as_u64().unwrap();
        let skipped = report["junit"]["skipped"].as_array().unwrap();
        let exits = skipped.len() == 1 && skipped[0]["reason"].to_string().contains("System.exit");
        assert!(tests > 0 && (skipped.is_empty() || method.ends_with("over(J)I") && exits), "{method}: {skipped:?}");
        wanted += tests;
        for class in test_classes(&place.path(name)).iter().filter(|_| name == "one") {
            fs::copy(place.path("one/src/test/java").join(class), project.join("src/test/java").join(class)).unwrap();
        }
    }
    let (passes, printed) = maven(&project, &[]);
    assert!(passes, "{printed}");
    assert_eq!(counts(&project), (wanted, 0));
    // Calls of private methods, objects given twice, output, and values that are hard to write.
    let source = |class: &str| fs::read_to_string(project.join("src/test/java/shop").join(class)).unwrap();
    assert!(source("LedgerCountedTest.java").contains(r#"call(Ledger.class, "counted", "#));
    assert!(source("LedgerCountedTest.java").contains(r#"assertEquals("first \"call\"\n", printed.out());"#));
    assert!(source("LedgerArraysTest.java").contains("Ledger.arrays(array1, array1, null)"));
    assert!(source("LedgerTextsTest.java").contains(r#"assertEquals("\udc00 alone", "#));
    assert!(source("LedgerAddTest.java").contains(r#"set(secret1, named("shop.Ledger$Secret"), "next", secret1);"#));
    assert!(source("../TestRunTest.java").contains(r#"set(gre1, named("Test$Gr\u00f6\u00dfe"), "unit", '\u00df');"#));
    assert!(source("LedgerNumbersTest.java").contains("Ledger.numbers((byte) -128, (short) -7, "));
}

#[test]
fn the_tests_of_a_comparison_tell_the_versions_apart() {
    let source = |number: &str, greeting: &str| {
        format!(
            "public class T {{ private int sum;
            int f(int x) {{ System.out.println(x < 9 ? \"hi\" : \"{greeting}\"); sum = x == 77 ? {number} : x; return sum; }} }}"
        )
    };
    let place = pair(&source("1", "ho"), &source("2", "ho"));
    let run = compare(&place, &["--fuzz-first", "0", "--junit", "tests"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("lapidary: 1 test in tests; `mvn test` runs them there"), "{run:?}");
    let project = place.path("tests");
    let text = fs::read_to_string(project.join("src/test/java/TFTest.java")).unwrap();
    assert!(text.contains("the old version returns 1, the new one returns 2 (the result differs)"), "{text}");
    assert!(text.contains("assertEquals(1, t1.f(77));") && text.contains("contents(t1)"), "{text}");
    assert!(!text.contains("printed"), "the output is the same: {text}");
    let (passes, printed) = maven(&project, &[]);
    assert!(passes && counts(&project) == (1, 0), "{printed}");
    let new = format!("-Dprogram={}", place.path("new/classes").display());
    let (passes, printed) = maven(&project, &[&new]);
    assert!(!passes && counts(&project) == (1, 1), "{printed}");
    assert!(printed.contains("expected: <1> but was: <2>"), "{printed}");
}

/// Two versions that return the same are told apart by what they print.
#[test]
fn the_title_of_a_test_says_what_is_printed() {
    let old = "class T { static char f(int n) { if (n == 41) System.out.println(\"one\"); return 'd'; } }";
    let place = pair(old, &old.replace("one", "single"));
    compare(&place, &["--fuzz-first", "0", "--junit", "tests"]);
    let text = fs::read_to_string(place.path("tests/src/test/java/TFTest.java")).unwrap();
    let title = r#"the old version returns 'd' and prints \"one\", the new one returns 'd' and prints \"single\" (the output differs)"#;
    assert!(text.contains(title), "{text}");
}

/// A package that is sealed elsewhere is a mistake of the program, and no signature to ignore.
#[test]
fn a_sealed_package_stays_sealed() {
    let place = Place::new();
    let source = place.write("A.java", "package p; public class A { static int f(int x) { return x > 3 ? 1 : 0; } }");
    lapidary_testkit::javac(&[], &place.path("classes"), [source]);
    place.write("seal", "Sealed: true\n");
    let made = Command::new("sh").args(["-c", "jar cfm a.jar seal -C classes ."]).current_dir(place.path("")).output();
    assert!(made.unwrap().status.success());
    place.lapidary(&patient(&["explore", "a.jar", "--main", "p.A.f", "--junit", "tests", "-q"])).ends_with(0);
    let (passes, printed) = maven(&place.path("tests"), &[]);
    assert!(!passes && printed.contains("sealing violation"), "{printed}");
}

#[test]
fn the_tests_of_a_signed_program_pass() {
    let place = Place::new();
    let source = place.write("A.java", "package p; public class A { static int f(int x) { return x > 3 ? 1 : 0; } }");
    lapidary_testkit::javac(&[], &place.path("classes"), [source]);
    let script = "jar cf a.jar -C classes . && keytool -genkeypair -alias us -keyalg RSA -storepass secret \
        -dname CN=us -keystore keys && jarsigner -keystore keys -storepass secret a.jar us";
    let signed = Command::new("sh").args(["-c", script]).current_dir(place.path("")).output().unwrap();
    assert!(signed.status.success(), "{signed:?}");
    place.lapidary(&patient(&["explore", "a.jar", "--main", "p.A.f", "--junit", "tests", "-q"])).ends_with(0);
    let (passes, printed) = maven(&place.path("tests"), &[]);
    assert!(passes && counts(&place.path("tests")) == (2, 0), "{printed}");
}

#[test]
fn no_difference_gives_no_tests() {
    let source = "public class T { static int f(int x) { return x; } }";
    let run = compare(&pair(source, source), &["--fuzz-first", "0", "--junit", "tests"]);
    assert!(run.code == Some(0) && run.stderr.contains("no difference was found, so there are no tests"), "{run:?}");
}

#[test]
fn tests_are_the_same_each_time_and_replace_earlier_ones_alone() {
    let place = programs();
    explore(&place, "Test.run", &["--junit", "tests", "-q"]).ends_with(1);
    let first = fs::read_to_string(place.path("tests/src/test/java/TestRunTest.java")).unwrap();
    explore(&place, "shop.Ledger.floats", &["--junit", "tests", "-q"]).ends_with(0);
    assert_eq!(test_classes(&place.path("tests")), [Path::new("shop/LedgerFloatsTest.java")]);
    explore(&place, "Test.run", &["--junit", "tests", "-q"]).ends_with(1);
    assert_eq!(fs::read_to_string(place.path("tests/src/test/java/TestRunTest.java")).unwrap(), first);
    place.write("mine/notes.txt", "mine");
    let refused = explore(&place, "Test.run", &["--junit", "mine"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("--force"), "{refused:?}");
    explore(&place, "Test.run", &["--junit", "mine", "--force", "-q"]).ends_with(1);
    assert_eq!(test_classes(&place.path("mine")), [Path::new("TestRunTest.java")]);
}
