//! The interface between running tests and judging their runs.
//!
//! A [`Runner`] takes a candidate somewhere (a directory on this machine, a container, a cluster),
//! runs the test there, and brings back an [`Observation`]. [`Judge`] turns observations into
//! verdicts by the same [`Rules`] for all runners: expectations, preserved aspects, normalisation,
//! repetition and the adaptive timeout.

use crate::command::CommandError;
use crate::criteria::{Criteria, Observation, Rules};
use crate::test_predicate::TestPredicate;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError};
use std::ffi::OsStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Runs the test on candidates and returns observations.
///
/// If the test crashes, hangs or prints nonsense, that is an observation. An error means that
/// nothing was learned about the candidate and the reduction cannot continue.
pub trait Runner: Send + Sync {
    /// Runs the test once. A run that takes longer than `timeout` is ended and reported as
    /// [`Ending::TimedOut`](crate::Ending::TimedOut). Called from several threads at once. When
    /// `cancel` fires, the answer is no longer needed: clean up and return
    /// [`PredicateError::Cancelled`].
    fn run(&self, candidate: &FileTree, timeout: Duration, cancel: &Cancel) -> Result<Observation, PredicateError>;

    /// How many times the test was started.
    fn runs(&self) -> u64;

    /// How many observations were known from earlier runs, so that the test was not started.
    fn cached(&self) -> u64 {
        0
    }

    /// Arguments that name a file in the user's current directory by a relative path. The test runs
    /// elsewhere and will not find them.
    fn relative_arguments(&self) -> Vec<&OsStr> {
        Vec::new()
    }
}

/// A predicate that runs the test by a [`Runner`] and judges the observations.
pub struct Judge<R> {
    runner: R,
    criteria: Criteria,
    supersets: AtomicU64,
}

impl<R: Runner> Judge<R> {
    /// Creates a predicate that judges runs of this runner by these rules.
    pub fn of(runner: R, rules: Rules) -> Self {
        Judge { runner, criteria: Criteria::new(rules), supersets: AtomicU64::new(0) }
    }

    /// The runner.
    pub fn runner(&self) -> &R {
        &self.runner
    }

    /// The time limit for the next run.
    pub fn timeout(&self) -> Duration {
        self.criteria.timeout()
    }
}

impl<R: Runner> Predicate for Judge<R> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let assessed = self.criteria.judge(|| self.observe(candidate, cancel))?;
        self.supersets.fetch_add(u64::from(assessed.superset), Ordering::Relaxed);
        Ok(assessed.judgment)
    }
}

impl<R: Runner> TestPredicate for Judge<R> {
    fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        self.runner.run(candidate, self.timeout(), cancel)
    }

    fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError> {
        self.criteria.assess(observation)
    }

    fn judge_observed(
        &self,
        candidate: &FileTree,
        cancel: &Cancel,
    ) -> Result<(Judgment, Option<Observation>), PredicateError> {
        let mut last = None;
        let assessed = self.criteria.judge(|| Ok(last.insert(self.observe(candidate, cancel)?).clone()))?;
        Ok((assessed.judgment, last))
    }

    fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        self.criteria.calibrate(observations)
    }

    fn runs(&self) -> u64 {
        self.runner.runs()
    }

    fn cached(&self) -> u64 {
        self.runner.cached()
    }

    fn supersets(&self) -> u64 {
        self.supersets.load(Ordering::Relaxed)
    }

    fn relative_arguments(&self) -> Vec<&OsStr> {
        self.runner.relative_arguments()
    }
}
