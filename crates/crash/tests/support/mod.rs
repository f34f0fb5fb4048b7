//! What the tests of this crate have in common.

#![allow(dead_code, reason = "each test file uses a part of it")]

use lapidary_clang_model::Project;
use lapidary_crash::{Build, CrashError, CrashPredicate, Execution, Failure, Observer, Outcome, Projection};
use lapidary_predicate::Timeout;
use lapidary_reduce::{Cancel, FileTree};
use std::path::Path;
use std::time::Duration;

pub fn flags(flags: &[&str]) -> Build {
    Build { flags: flags.iter().map(|flag| (*flag).to_owned()).collect(), ..Build::default() }
}

/// What is observed of a program that is a single file.
pub fn outcome_of(name: &str, text: &str, build: Build, execution: Execution) -> Outcome {
    let tree = FileTree::file(name, text);
    let observer = Observer::new(build, execution, &tree, &Cancel::new()).unwrap();
    observer.observe(&tree, &Cancel::new()).unwrap().outcome
}

pub fn failure_with(name: &str, text: &str, build: Build) -> Failure {
    match outcome_of(name, text, build, Execution::default()) {
        Outcome::Failed(failure) => failure,
        other => panic!("{other:?}"),
    }
}

pub fn failure(name: &str, text: &str) -> Failure {
    failure_with(name, text, Build::default())
}

/// The innermost functions with their lines: `f:3 main:9`.
pub fn stack(failure: &Failure) -> String {
    let frames = failure.frames.iter().map(|frame| format!("{}:{}", frame.function, frame.line));
    frames.collect::<Vec<_>>().join(" ")
}

pub fn seconds(seconds: u64) -> Execution {
    Execution { timeout: Timeout::Fixed(Duration::from_secs(seconds)), ..Execution::default() }
}

pub fn discover(name: &str, text: &str) -> Result<CrashPredicate, CrashError> {
    let tree = FileTree::file(name, text);
    let (predicate, _) = CrashPredicate::discover(Build::default(), Execution::default(), &tree, 2, &Cancel::new())?;
    Ok(predicate)
}

/// The failure of a single file together with its reason.
pub fn discover_with_reason(name: &str, text: &str) -> Result<CrashPredicate, CrashError> {
    discover_with_reason_by(name, text, Build::default())
}

pub fn discover_with_reason_by(name: &str, text: &str, build: Build) -> Result<CrashPredicate, CrashError> {
    let tree = FileTree::file(name, text);
    let (predicate, _) = CrashPredicate::discover(build, Execution::default(), &tree, 2, &Cancel::new())?;
    let project = Project::single(&Path::new("/nowhere").join(name), Vec::new());
    let units = project.units(&tree).expect("libclang reads it");
    let projection = Projection::of(predicate.failure(), &project, &tree, &units);
    predicate.keeping_the_reason(projection, &tree, &Cancel::new())
}
