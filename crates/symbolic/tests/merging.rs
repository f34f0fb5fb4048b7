//! Merged paths have the same results as separate ones, and there are fewer of them.

use crate::support;

use lapidary_symbolic::{Explored, Outcome, PathEnd, Replayer};
use std::collections::BTreeSet;
use std::time::Duration;
use support::Program;

struct Both {
    merged: Vec<PathEnd>,
    apart: Vec<PathEnd>,
}

fn both(program: &Program, method: &str) -> Both {
    let explored = |merging| -> (Vec<PathEnd>, Explored) { program.explored_with(method, merging) };
    let ((apart, all), (merged, fewer)) = (explored(false), explored(true));
    assert!(all.exhausted && fewer.exhausted, "{method}");
    assert_eq!(all.merged, 0);
    assert_eq!(fewer.merged > 0, merged.len() < apart.len(), "{method}");
    Both { merged, apart }
}

fn endings(paths: &[PathEnd]) -> BTreeSet<String> {
    let ending = |path: &PathEnd| match &path.outcome {
        Outcome::Threw { class, message, .. } => format!("{class} {message:?}"),
        Outcome::Returned(_) => "returned".to_owned(),
        other => format!("{other:?}"),
    };
    paths.iter().map(ending).collect()
}

#[test]
fn conditions_that_only_count_are_one_path() {
    let program = Program::compiled("Merging");
    let both = both(&program, "positive");
    assert_eq!(both.apart.len(), 256);
    assert_eq!(both.merged.len(), 2, "five of them, or not");
    assert_eq!(endings(&both.merged), endings(&both.apart));
}

#[test]
fn every_way_to_end_is_still_found_and_real() {
    let program = Program::compiled("Merging");
    let replayer = Replayer {
        java: "java".into(),
        class_path: vec![program.path()],
        timeout: Duration::from_secs(20),
        sandbox: None,
    };
    for method in ["heap", "statics", "objects", "leaving", "sign", "printing", "switching"] {
        let both = both(&program, method);
        assert_eq!(endings(&both.merged), endings(&both.apart), "{method}");
        let target = program.method(&mut program.machine(), method);
        for path in &both.merged {
            let replayed = replayer.replay(&target, path).unwrap();
            assert_eq!(replayed.difference(path), None, "{method}");
        }
    }
}

#[test]
fn paths_that_differ_in_objects_or_output_are_not_merged() {
    let program = Program::compiled("Merging");
    for method in ["objects", "printing"] {
        assert_eq!(both(&program, method).merged.len(), 2, "{method}");
    }
    for method in ["sign", "switching"] {
        assert_eq!(both(&program, method).merged.len(), 1, "{method}");
    }
}
