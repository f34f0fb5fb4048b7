//! `lapidary triage --reduce`: makes a small program from a miss, and reports the findings if that
//! fails.

use crate::support;

use lapidary_testkit::javac;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::{Place, Run};

/// Triage of a small program with an analysis that loses a method, and more options.
fn triage(place: &Place, more: &[&str]) -> Run {
    let source = place.write(
        "Small.java",
        "class Small {
            public static void main(String[] args) { System.out.println(\"noise\"); lost(); }
            static void lost() { more(); }
            static void more() { }
        }
        class Extra { }",
    );
    let classes = place.path("classes");
    javac(&[], &classes, [&source]);
    let rest = "echo 'Small.main:([Ljava/lang/String;)V'; echo 'Small.more:()V'";
    let (good, bad) = (format!("good={rest}; echo 'Small.lost:()V'"), format!("bad={rest}"));
    let given = ["triage", "classes", "--main", "Small", "--own", "none", "--others", "none"];
    let asked = ["--analysis", &good, "--analysis", &bad, "--reduce", "--out", "small"];
    place.lapidary(&[&given[..], &asked, more].concat())
}

#[test]
fn a_bug_becomes_a_small_program() {
    let place = Place::new();
    let run = triage(&place, &[]);
    let (classes, small) = (place.path("classes"), place.path("small"));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("bad still misses Small.lost:()V"), "{run:?}");
    let left: Vec<_> = fs::read_dir(&small).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["Small.class"], "{run:?}");
    assert!(size(&small.join("Small.class")) < size(&classes.join("Small.class")));
    let again = Command::new("java").arg("-cp").arg(&small).arg("Small").output().unwrap();
    assert!(again.status.success() && again.stdout.is_empty(), "what is not needed is gone: {again:?}");
}

#[test]
fn a_reduction_that_used_up_its_budget_goes_on_later() {
    let place = Place::new();
    let stopped = triage(&place, &["--budget", "2"]);
    assert_eq!(stopped.code, Some(1), "the verdict stands: {stopped:?}");
    assert!(
        stopped.stderr.contains("the reduction stopped early") && stopped.stderr.contains("--resume"),
        "{stopped:?}"
    );
    let lines = place.lines("small.journal.jsonl");
    let resumed = triage(&place, &["--resume"]);
    assert!(resumed.stdout.contains("bad still misses Small.lost:()V"), "{resumed:?}");
    assert!(!resumed.stderr.contains("stopped early") && place.lines("small.journal.jsonl") > lines, "{resumed:?}");
    let refused = triage(&place, &[]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--resume continues it"), "{refused:?}");
}

/// An analysis that fails when it is asked a second time.
#[test]
fn a_reduction_that_fails_takes_no_verdict_away() {
    let place = Place::new();
    let source = place
        .write("Once.java", "class Once { public static void main(String[] args) { lost(); } static void lost() { } }");
    let classes = place.path("classes");
    javac(&[], &classes, [&source]);
    let main = "echo 'Once.main:([Ljava/lang/String;)V'";
    let good = format!("good={main}; echo 'Once.lost:()V'");
    let bad = format!("bad=if test -e asked; then echo gone >&2; exit 9; fi; touch asked; {main}");
    let given = ["triage", "classes", "--main", "Once", "--own", "none", "--others", "none", "--analysis", &good];
    let run = place.lapidary(&[&given[..], &["--analysis", &bad, "--reduce", "--json", "out.json"]].concat());
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("bad failed: exit code 9: gone"), "the reason is the real one: {run:?}");
    let found: Value = serde_json::from_slice(&fs::read(place.path("out.json")).unwrap()).unwrap();
    assert_eq!(found["programs"][0]["analyses"][1]["verdict"], "bug");
}

fn size(path: &Path) -> u64 {
    path.metadata().unwrap().len()
}
