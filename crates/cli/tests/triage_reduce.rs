//! `lapidary triage --reduce`: from a miss to a small program, and what is left when that does not work.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::Place;

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

/// An analysis that fails when it is asked for the second time.
#[test]
fn a_reduction_that_fails_takes_no_verdict_away() {
    let place = Place::new();
    let source = place
        .write("Once.java", "class Once { public static void main(String[] args) { lost(); } static void lost() { } }");
    let classes = place.path("classes");
    let javac = Command::new("javac").arg("-d").arg(&classes).arg(&source).output().unwrap();
    assert!(javac.status.success(), "{javac:?}");
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
