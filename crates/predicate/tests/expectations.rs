//! Tests of which runs are interesting, by expectation and by comparison with the original.

use crate::support::{Script, judge_with, tiny};
use lapidary_predicate::{
    CommandConfig, CommandError, CommandPredicate, Expectation, Normaliser, Preserve, TestPredicate,
};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::path::Path;

fn expect(body: &str, expectations: &[&str]) -> Judgment {
    judge_with(body, |config| config.expectations = expectations.iter().map(|text| text.parse().unwrap()).collect())
}

#[test]
fn exit_codes_and_signals() {
    let interesting = [
        ("exit 3", "exit=3"),
        ("exit 3", "exit!=0"),
        ("kill -SEGV $$", "exit=SEGV"),
        ("kill -SEGV $$", "exit=SIGSEGV"),
        ("kill -SEGV $$", "exit=signal:11"),
        ("kill -SEGV $$", "exit=139"),
        ("sh -c 'kill -ABRT $$' 2>/dev/null", "exit=ABRT"),
        ("kill -SEGV $$", "exit!=0"),
    ];
    for (body, expectation) in interesting {
        assert!(expect(body, &[expectation]).is_interesting(), "{body}: {expectation}");
    }
    let other = [
        ("exit 0", "exit=3", "exit code 0"),
        ("exit 3", "exit!=3", "exit code 3"),
        ("exit 11", "exit=SEGV", "exit code 11"),
    ];
    for (body, expectation, reason) in other {
        let judgment = expect(body, &[expectation]);
        assert_eq!((judgment.verdict, judgment.reason.as_str()), (Verdict::Uninteresting, reason), "{expectation}");
    }
    assert_eq!(expect("kill -ABRT $$", &["exit=SEGV"]).verdict, Verdict::Unresolved);
}

#[test]
fn output_decides_whatever_the_exit_code() {
    let body = "echo out; echo oops >&2; exit 3";
    for expectation in ["stdout~^out$", "stderr~o+ps", "output~oops", "output~out", "stdout!~oops", "stderr!~out"] {
        assert!(expect(body, &[expectation]).is_interesting(), "{expectation}");
    }
    for (expectation, reason) in [
        ("stdout~oops", "stdout does not match /oops/"),
        ("stderr~out", "stderr does not match /out/"),
        ("output~nothing", "output does not match /nothing/"),
        ("output!~o{2}ps", "output matches /o{2}ps/"),
    ] {
        let judgment = expect(body, &[expectation]);
        assert_eq!((judgment.verdict, judgment.reason.as_str()), (Verdict::Uninteresting, reason));
    }
    assert!(expect("echo assertion failed >&2; kill -ABRT $$", &["stderr~assertion"]).is_interesting());
}

#[test]
fn all_expectations_must_hold() {
    let body = "echo out; exit 3";
    assert!(expect(body, &["stdout~out", "exit=3"]).is_interesting());
    assert_eq!(expect(body, &["stdout~out", "exit=0"]).reason, "exit code 3");
    assert_eq!(expect(body, &["stdout~none", "exit=3"]).reason, "stdout does not match /none/");
}

#[test]
fn output_need_not_be_text() {
    assert!(expect(r"printf '\377\376oops\000'", &[r"stdout~(?-u)\xFFoops|\xFEoops"]).is_interesting());
}

#[test]
fn a_bad_expectation_shows_what_is_allowed() {
    for bad in ["", "exit", "exit~3", "stdout=3", "stdin~x", "exit==", "out!x"] {
        let message = bad.parse::<Expectation>().unwrap_err().to_string();
        assert!(message.contains("exit") && message.contains(bad), "{bad}: {message}");
    }
    let message = "stdout~(".parse::<Expectation>().unwrap_err().to_string();
    assert!(message.contains("unclosed group"), "{message}");
    let message = "exit=256".parse::<Expectation>().unwrap_err().to_string();
    assert!(message.contains("0 to 255"), "{message}");
    let message = "exit,stdin".parse::<Preserve>().unwrap_err().to_string();
    assert!(message.contains("stdin") && message.contains("stderr"), "{message}");
}

/// Runs the candidate as a script, so that the candidate decides the test's output.
const SHOW: &str = "sh ./input.txt";

fn preserving(script: &Script, preserve: &str, normalise: &str) -> CommandPredicate {
    let preserve = preserve.parse().unwrap();
    let normalise = normalise.parse().unwrap();
    CommandPredicate::new(CommandConfig { preserve, normalise, ..script.config() }).unwrap()
}

fn compare(preserve: &str, normalise: &str, original: &str, candidate: &str) -> Judgment {
    let script = Script::new(SHOW);
    let predicate = preserving(&script, preserve, normalise);
    let tree = |body: &str| FileTree::file("input.txt", body);
    let seen = predicate.observe(&tree(original), &Cancel::new()).unwrap();
    predicate.calibrate(&[seen]).unwrap();
    assert!(predicate.judge(&tree(original), &Cancel::new()).unwrap().is_interesting());
    predicate.judge(&tree(candidate), &Cancel::new()).unwrap()
}

#[test]
fn preserved_is_what_was_asked_to_be() {
    let original = "echo out; echo err >&2; exit 3";
    assert!(compare("exit", "", original, "exit 3").is_interesting());
    assert!(compare("stdout", "", original, "echo out; exit 1").is_interesting());
    assert!(compare("exit,stderr", "", original, "echo err >&2; exit 3").is_interesting());
    assert_eq!(compare("exit", "", original, "exit 4").reason, "exit code 4 instead of exit code 3");
    assert_eq!(compare("stdout", "", original, "echo other").reason, "stdout differs from the original's in line 1");
    assert_eq!(compare("stderr", "", original, "exit 3").verdict, Verdict::Uninteresting);
    assert!(compare("exit", "", "kill -SEGV $$", "echo more; kill -SEGV $$").is_interesting());
}

#[test]
fn the_job_directory_never_makes_a_difference() {
    assert!(
        compare(
            "stdout",
            "",
            "echo error in $PWD/input.txt; echo $TMPDIR",
            "  echo error in $PWD/input.txt; echo $TMPDIR"
        )
        .is_interesting()
    );
}

#[test]
fn normalised_outputs_are_compared() {
    let (original, candidate) = ("echo a.c:12:5: bad; echo x 0xdead", "echo y 0xbeef | tr y x; echo a.c:1: bad");
    assert!(!compare("stdout", "lines", original, candidate).is_interesting());
    assert!(compare("stdout", "lines,addresses,sort", original, candidate).is_interesting());
}

#[test]
fn an_unsteady_original_cannot_be_preserved() {
    let script = Script::new("date +%N; echo steady >&2");
    let predicate = preserving(&script, "stdout,stderr", "");
    let seen: Vec<_> = (0..2).map(|_| predicate.observe(&tiny(), &Cancel::new()).unwrap()).collect();
    let error = predicate.calibrate(&seen).unwrap_err();
    assert!(matches!(error, CommandError::Unsteady { aspect: "stdout", .. }), "{error}");
    let predicate = preserving(&script, "stdout,stderr", "numbers");
    predicate.calibrate(&seen).unwrap();
    assert!(predicate.judge(&tiny(), &Cancel::new()).unwrap().is_interesting());
}

#[test]
fn preserving_without_a_baseline_is_an_error() {
    let script = Script::new("exit 0");
    let result = preserving(&script, "stdout", "").judge(&tiny(), &Cancel::new());
    assert!(matches!(result, Err(PredicateError::Fatal(_))), "{result:?}");
}

fn normalise(rules: &str, text: &str) -> String {
    let normaliser: Normaliser = rules.parse().unwrap();
    String::from_utf8(normaliser.apply(text.as_bytes(), &[Path::new("/scratch/job-7")])).unwrap()
}

#[test]
fn each_rule_does_what_its_name_says() {
    let cases = [
        ("", "in /scratch/job-7/a.c", "in <job>/a.c"),
        ("paths", "in /usr/include/x.h:3, /scratch/job-7/a.c and 1/2", "in <path>:3, <path> and 1/2"),
        ("paths", "/a/b /c and \"/d/e.c\"", "<path> <path> and \"<path>\""),
        ("lines", "a.c:12:5: bad", "a.c:<line>: bad"),
        ("lines", "   12 |   int x\n      |       ^", "<line> |   int x\n<line> |       ^"),
        ("lines", "A.java:12) at line 7, column 3", "A.java:<line>) at line <line>, column <line>"),
        ("lines", "x.ts(12,5): no; took 12 s", "x.ts(<line>): no; took 12 s"),
        ("addresses", "at 0x7ffd12 and deadbeef01, not cafe", "at <address> and <address>, not cafe"),
        ("numbers", "a1 22", "a<number> <number>"),
        ("sort", "b\na\nc\n", "a\nb\nc"),
        ("warnings", "a\nx.c:1: warning: unused\nWarning: b\nc", "a\nc"),
        ("space", "a  b\t\tc \n\n  d", "a b c\nd\n"),
        (r"s/id=(\w+)/id=<$1>/", "id=abc", "id=<abc>"),
        (r"s/a,b\/c/x/,numbers", "a,b/c 1", "x <number>"),
        ("s|/a|/b|", "/a", "/b"),
        ("sort,numbers", "b 2\nb 10\na 3", "a <number>\nb <number>\nb <number>"),
        ("paths,lines", "/x/y.c:3:4: bad", "<path>:<line>: bad"),
    ];
    for (rules, text, result) in cases {
        assert_eq!(normalise(rules, text), result, "{rules}");
    }
}

#[test]
fn a_bad_rule_names_the_known_ones() {
    let message = "paths,tabs".parse::<Normaliser>().unwrap_err().to_string();
    assert!(message.contains("tabs") && message.contains("addresses"), "{message}");
    for bad in ["s/x", "s/x/y", "s/(/y/", "s/x/y/g"] {
        assert!(bad.parse::<Normaliser>().is_err(), "{bad}");
    }
}
