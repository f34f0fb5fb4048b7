//! Asking libclang before the user's test: a candidate that does not compile costs milliseconds instead of a test.

use crate::sources::Project;
use lapidary_clang::{Checker, ParseError};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reading more than this takes libclang longer than most tests take.
const WORTH_CHECKING_BYTES: u64 = 256 << 10;

/// A test that only sees what libclang accepts.
pub struct Gate<'p> {
    project: &'p Project,
    /// What libclang says of the original: a candidate may say the same.
    accepted: BTreeSet<String>,
    /// One for each thread that asks at the same time.
    checkers: Mutex<Vec<Vec<Checker>>>,
    refused: AtomicU64,
    test: &'p dyn Predicate,
}

impl<'p> Gate<'p> {
    pub fn new(project: &'p Project, original: &FileTree, test: &'p dyn Predicate) -> Result<Gate<'p>, ParseError> {
        let gate =
            Gate { project, accepted: BTreeSet::new(), checkers: Mutex::default(), refused: AtomicU64::new(0), test };
        let accepted = gate.complaints(original)?;
        Ok(Gate { accepted, ..gate })
    }

    /// How many candidates never came to the test.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// The first thing that libclang says of a candidate and not of the original.
    fn complaint(&self, candidate: &FileTree) -> Option<String> {
        if candidate.bytes() > WORTH_CHECKING_BYTES {
            return None;
        }
        let found = self.complaints(candidate).ok()?;
        found.into_iter().find(|message| !self.accepted.contains(message))
    }

    fn complaints(&self, tree: &FileTree) -> Result<BTreeSet<String>, ParseError> {
        let new = || self.project.compilations.iter().cloned().map(Checker::new).collect();
        let mut checkers = self.checkers.lock().expect("nobody panics with it").pop().unwrap_or_else(new);
        let sources = self.project.sources(tree);
        let mut messages = BTreeSet::new();
        for checker in &mut checkers {
            messages.extend(checker.complaints(&sources)?.into_iter().map(|complaint| complaint.message));
        }
        self.checkers.lock().expect("nobody panics with it").push(checkers);
        Ok(messages)
    }
}

impl Predicate for Gate<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        match self.complaint(candidate) {
            Some(message) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Ok(Judgment::new(Verdict::Uninteresting, format!("does not compile: {message}")))
            }
            None => self.test.judge(candidate, cancel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    struct Anything;

    impl Predicate for Anything {
        fn judge(&self, _: &FileTree, _: &Cancel) -> Result<Judgment, PredicateError> {
            Ok(Judgment::new(Verdict::Interesting, "always"))
        }
    }

    #[test]
    fn only_what_compiles_comes_to_the_test() {
        let project = Project::single(Path::new("/nowhere/a.c"), Vec::new());
        let original = FileTree::file("a.c", "int f(void) { return g; } int h;");
        let gate = Gate::new(&project, &original, &Anything).unwrap();
        let is_judged = |text: &str| gate.judge(&FileTree::file("a.c", text), &Cancel::new()).unwrap().is_interesting();
        assert!(is_judged("int h;"));
        assert!(is_judged("int f(void) { return g; }"), "the original has that error too");
        assert!(!is_judged("int f(void) { return }"));
        assert_eq!(gate.refused(), 1);
    }
}
