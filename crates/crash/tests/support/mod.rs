//! Helpers shared by the tests of this crate.

use lapidary_clang_model::Project;
use lapidary_crash::{
    Build, Closeness, CrashError, CrashPredicate, Discovery, Execution, Failure, FailureObserver, Outcome, Projection,
};
use lapidary_predicate::Timeout;
use lapidary_reduce::{Cancel, FileTree};
use std::path::Path;
use std::time::Duration;

pub fn flags(flags: &[&str]) -> Build {
    Build { flags: flags.iter().map(|flag| (*flag).to_owned()).collect(), ..Build::default() }
}

/// Returns the observed outcome of a program that is a single file.
pub fn outcome_of(name: &str, text: &str, build: Build, execution: Execution) -> Outcome {
    let tree = FileTree::file(name, text);
    let observer = FailureObserver::new(build, execution, &tree, &Cancel::new()).unwrap();
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

/// Returns the frames with their lines, innermost first: `f:3 main:9`.
pub fn stack(failure: &Failure) -> String {
    let frames = failure.frames.iter().map(|frame| format!("{}:{}", frame.function, frame.line));
    frames.collect::<Vec<_>>().join(" ")
}

pub fn seconds(seconds: u64) -> Execution {
    Execution { timeout: Timeout::Fixed(Duration::from_secs(seconds)), ..Execution::default() }
}

/// Discovers the failure of a program, of which only the error counts.
pub fn discovered(build: Build, execution: Execution, tree: &FileTree, runs: u32) -> Result<Discovery, CrashError> {
    CrashPredicate::discover(build, execution, tree, runs, Closeness::Error, &Cancel::new())
}

pub fn discover(name: &str, text: &str) -> Result<CrashPredicate, CrashError> {
    let found = discovered(Build::default(), Execution::default(), &FileTree::file(name, text), 2)?;
    Ok(found.same_error())
}

/// Discovers the failure of a single file together with its reason.
pub fn discover_with_reason(name: &str, text: &str) -> Result<CrashPredicate, CrashError> {
    discover_with_reason_by(name, text, Build::default())
}

pub fn discover_with_reason_by(name: &str, text: &str, build: Build) -> Result<CrashPredicate, CrashError> {
    let tree = FileTree::file(name, text);
    let execution = Execution::default();
    let found = CrashPredicate::discover(build, execution, &tree, 2, Closeness::Reason, &Cancel::new())?;
    let project = Project::single(&Path::new("/nowhere").join(name), Vec::new());
    let units = project.units(&tree).expect("libclang reads it");
    let projection = Projection::of(found.failure(), &project, &tree, &units);
    found.same_reason(projection, &tree, &Cancel::new())
}
