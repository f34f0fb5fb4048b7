//! The interface of a user's test beyond verdicts, however it is run.

use crate::command::CommandError;
use crate::criteria::Observation;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError};
use std::ffi::OsStr;
use std::time::Instant;

/// A predicate whose runs can be observed. Before judging, run it on the original and call
/// [`TestPredicate::calibrate`].
pub trait TestPredicate: Predicate {
    /// Runs the test once and returns the observation.
    fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError>;

    /// The judgment that follows from a run.
    fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError>;

    /// The judgment of a candidate, with the run that decided it if it can be observed.
    fn judge_observed(
        &self,
        candidate: &FileTree,
        cancel: &Cancel,
    ) -> Result<(Judgment, Option<Observation>), PredicateError> {
        self.judge(candidate, cancel).map(|judgment| (judgment, None))
    }

    /// Learns the baseline and the time limit from runs on the original. Call it once. All runs
    /// must agree on the preserved aspects.
    fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError>;

    /// How many times the test was run.
    fn runs(&self) -> u64;

    /// How many runs were not needed, because somebody else had their results.
    fn cached(&self) -> u64 {
        0
    }

    /// The number of candidates rejected only because they printed more on stdout than the
    /// original.
    fn supersets(&self) -> u64;

    /// Sets the end of the whole run. Optional checks of verdicts are skipped if they would not
    /// finish by then.
    fn end_by(&self, _deadline: Instant) {}

    /// Arguments that name a file in the user's current directory by a relative path. The test runs
    /// elsewhere and will not find them.
    fn relative_arguments(&self) -> Vec<&OsStr>;
}
