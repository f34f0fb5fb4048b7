//! What a user's test offers beyond verdicts, however it is run.

use crate::command::CommandError;
use crate::criteria::Observation;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError};
use std::ffi::OsStr;
use std::time::Instant;

/// A predicate whose runs can be looked at. Before judging, run it on the original and [`TestPredicate::calibrate`] it.
pub trait TestPredicate: Predicate {
    /// Runs the test once and returns all there is to see.
    fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError>;

    /// What a run says about its candidate.
    fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError>;

    /// Learns from runs on the original: what is to be preserved, and how long a run may take. Call it once. If something
    /// is preserved, all the runs must agree on it.
    fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError>;

    /// How many times the test was run.
    fn runs(&self) -> u64;

    /// How many candidates were not interesting only because they printed more on stdout than what was to be preserved.
    fn supersets(&self) -> u64;

    /// Says when the run ends. What would only make sure of a verdict is put off if it would not be done by then.
    fn end_by(&self, _deadline: Instant) {}

    /// Arguments that name a file in the user's current directory by a relative path, where the test does not run.
    fn relative_arguments(&self) -> Vec<&OsStr>;
}
