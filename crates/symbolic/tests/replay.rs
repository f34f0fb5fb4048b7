//! Every path ends on a real JVM as it ends here.

use crate::support;

use lapidary_common::sandbox::Sandbox;
use lapidary_symbolic::{Message, Outcome, PathEnd, RealEnding, Replayer};
use lapidary_testkit::javac;
use std::time::Duration;
use support::Program;

/// How many paths of a method are replayed.
const AT_MOST: usize = 12;

fn replays(name: &str, method: &str) -> Vec<PathEnd> {
    let program = Program::compiled(name);
    let (paths, explored) = program.explored(method);
    assert!(explored.exhausted, "{explored:?}");
    let called = program.method(&mut program.machine(), method);
    let replayer = Replayer {
        java: "java".into(),
        class_path: vec![program.path()],
        timeout: Duration::from_secs(20),
        sandbox: None,
    };
    for path in paths.iter().step_by(paths.len().div_ceil(AT_MOST)) {
        let replayed = replayer.replay(&called, path).unwrap();
        assert_eq!(replayed.difference(path), None, "{method} {path:?}");
    }
    paths
}

#[test]
fn numbers_and_texts() {
    for method in ["tri", "div", "hash"] {
        replays("Symbols", method);
    }
}

#[test]
fn arrays_assertions_and_the_library() {
    for method in ["sum", "sortit", "map", "mix"] {
        replays("Symbols", method);
    }
}

/// Conditions that only a solver with bit-precise floats can decide.
#[test]
fn roots_and_casts() {
    for method in ["root", "cast"] {
        let mut returned: Vec<_> =
            replays("Symbols", method).iter().map(|path| format!("{:?}", path.outcome)).collect();
        returned.sort();
        returned.dedup();
        assert_eq!(returned.len(), 3, "{returned:?}");
    }
}

#[test]
fn comparisons_identity_and_methods_with_names_of_the_library() {
    for method in ["mismatch", "identity", "binds"] {
        replays("Symbols", method);
    }
}

/// The number in a message is that of the input; other numbers are not explored.
#[test]
fn messages_name_the_input() {
    let program = Program::compiled("Symbols");
    let replayer = Replayer {
        java: "java".into(),
        class_path: vec![program.path()],
        timeout: Duration::from_secs(20),
        sandbox: None,
    };
    for method in ["outside", "wrapped"] {
        let (paths, explored) = program.explored(method);
        assert!(!explored.exhausted && explored.undecided > 0, "{explored:?}");
        let called = program.method(&mut program.machine(), method);
        let ended = paths.iter().filter(|path| !matches!(path.outcome, Outcome::Unsupported { .. }));
        for path in ended {
            assert_eq!(replayer.replay(&called, path).unwrap().difference(path), None, "{method} {path:?}");
        }
    }
}

#[test]
fn choices_of_the_program() {
    let paths = replays("Choices", "pick");
    let mut returned: Vec<String> = paths.iter().map(|path| format!("{:?}", path.outcome)).collect();
    returned.sort();
    returned.dedup();
    // Two names, each with and without the mark, followed by a seven or by one of two choices.
    assert_eq!(returned.len(), 12, "{returned:?}");
    assert!(paths.iter().all(|path| matches!(path.outcome, Outcome::Returned(Some(_)))));
}

/// A replay notices any wrong prediction.
#[test]
fn wrong_predictions_are_noticed() {
    let program = Program::compiled("Symbols");
    let (paths, _) = program.explored("div");
    let called = program.method(&mut program.machine(), "div");
    let replayer = Replayer {
        java: "java".into(),
        class_path: vec![program.path()],
        timeout: Duration::from_secs(20),
        sandbox: None,
    };
    let path = paths.iter().find(|path| matches!(path.outcome, Outcome::Threw { .. })).expect("a division by zero");
    let replayed = replayer.replay(&called, path).unwrap();
    assert_eq!(replayed.difference(path), None);
    let threw = |class: &str, message: &str, place: &str| {
        let message = Message::Text(message.to_owned());
        Outcome::Threw { class: class.to_owned(), message, trace: vec![place.to_owned()] }
    };
    let right =
        PathEnd { outcome: threw("java.lang.ArithmeticException", "/ by zero", "Symbols.div:5"), ..path.clone() };
    assert_eq!(replayed.difference(&right), None);
    let wrong = [
        threw("java.lang.IllegalStateException", "/ by zero", "Symbols.div:5"),
        threw("java.lang.ArithmeticException", "something else", "Symbols.div:5"),
        threw("java.lang.ArithmeticException", "/ by zero", "Symbols.div:4"),
        Outcome::Returned(None),
        Outcome::Exited(0),
    ];
    for outcome in wrong {
        assert!(replayed.difference(&PathEnd { outcome, ..path.clone() }).is_some());
    }
    let prints = PathEnd { stdout: "more".into(), ..path.clone() };
    assert!(replayed.difference(&prints).is_some() && replayed.other_ending(&prints).is_none());
}

/// The hostile class takes the place of the one that was explored.
#[test]
fn in_a_sandbox_a_replay_ends_the_same_and_writes_nothing() {
    let sandbox = Sandbox::new().unwrap_or_else(|reason| panic!("this test needs a sandbox: {reason}"));
    let program = Program::compiled("Symbols");
    let (paths, _) = program.explored("tri");
    let called = program.method(&mut program.machine(), "tri");
    let place = tempfile::tempdir().unwrap();
    let written = place.path().join("written");
    let hostile = format!(
        "class Symbols {{ static int tri(int a, int b, int c) {{ \
            try (var file = new java.io.FileWriter(\"{}\")) {{ }} catch (java.io.IOException error) {{ }} \
            return 17; }} }}",
        written.display()
    );
    let source = place.path().join("Symbols.java");
    std::fs::write(&source, hostile).unwrap();
    javac(&[], place.path(), [&source]);
    let replayer = |class_path, sandbox| {
        let java = lapidary_common::jdk::tool("java").unwrap();
        Replayer { java, class_path, timeout: Duration::from_secs(60), sandbox }
    };
    let faithful = replayer(vec![program.path()], Some(sandbox.clone()));
    assert_eq!(faithful.replay(&called, &paths[0]).unwrap().difference(&paths[0]), None);
    let both = vec![place.path().to_owned(), program.path()];
    let ended = |sandbox| replayer(both.clone(), sandbox).replay(&called, &paths[0]).unwrap().ending;
    assert_eq!(ended(Some(sandbox)), RealEnding::Returned(Some("I:17".to_owned())));
    assert!(!written.exists());
    assert_eq!(ended(None), RealEnding::Returned(Some("I:17".to_owned())));
    assert!(written.exists(), "it writes when it can");
}
