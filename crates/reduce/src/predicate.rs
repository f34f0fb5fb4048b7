//! Predicates: they answer whether a candidate still fails.

use crate::FileTree;
use lapidary_common::Cancel;
use std::time::Duration;
use thiserror::Error;

/// The answer of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The failure is still there.
    Interesting,
    /// The failure is gone.
    Uninteresting,
    /// The test could not tell: it timed out, was killed, or exceeded a limit. Treated as not
    /// interesting.
    Unresolved,
}

/// A verdict with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// The answer.
    pub verdict: Verdict,
    /// The reason in words, for the journal: "exit code 0", "timed out after 3 s".
    pub reason: String,
    /// Whether the test was ended because it took too long.
    pub timed_out: bool,
    /// Whether the run was ended from outside, as the system does when memory runs out. The verdict
    /// then says nothing about the candidate, and a resumed run tests it again.
    pub disturbed: bool,
    /// How long the test took, summed over its runs.
    pub elapsed: Duration,
}

impl Judgment {
    /// A judgment that took no time.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Judgment { verdict, reason: reason.into(), timed_out: false, disturbed: false, elapsed: Duration::ZERO }
    }

    /// The reason of every candidate that was no valid program begins like this.
    pub const INVALID: &str = "does not compile";

    /// Whether the test was spent on a candidate that is no valid program, as far as that is known.
    pub fn is_invalid(&self) -> bool {
        self.reason.starts_with(Judgment::INVALID)
    }

    /// Whether the failure is still there.
    pub fn is_interesting(&self) -> bool {
        self.verdict == Verdict::Interesting
    }
}

/// Why there is no judgment. A bad candidate is a verdict, never an error.
#[derive(Debug, Error)]
pub enum PredicateError {
    /// The test was cancelled before it answered.
    #[error("cancelled")]
    Cancelled,
    /// The run cannot go on: the disk is full, the test cannot be started.
    #[error("{0}")]
    Fatal(String),
    /// Something else keeps ending what the test needs, as the system does when memory runs out.
    /// Nothing is known about the candidate, and the same may work later.
    #[error("{0}")]
    Disturbed(String),
}

/// Tells whether a candidate still fails.
pub trait Predicate: Send + Sync {
    /// Judges one candidate. Called from several threads at once. When `cancel` fires, the answer
    /// is no longer needed: clean up and return [`PredicateError::Cancelled`] as soon as possible.
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError>;
}
