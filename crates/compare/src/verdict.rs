//! The result of a comparison.

use crate::matching::Where;
use crate::watch::Pinned;
use lapidary_symbolic::{Part, PathEnd, Restriction};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// An input on which the versions seem to differ, with the predicted behaviour of each.
#[derive(Clone)]
pub struct Candidate {
    /// The input, for running it on another machine.
    pub input: Pinned,
    pub old: PathEnd,
    /// Its inputs include those that only one version reads.
    pub new: PathEnd,
    pub at: Where,
    /// Whether the versions seem to differ only in the iteration order of a `HashMap` or `HashSet`.
    pub is_hash_order: bool,
    /// The trace of the old version at the boundary.
    pub old_trace: Vec<TraceStep>,
    /// The trace of the new version at the boundary.
    pub new_trace: Vec<TraceStep>,
}

/// A readable event that crosses the boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    pub text: String,
    /// Where it begins, as in `shop.Main.run:12`.
    pub place: String,
    pub to: Part,
    pub depth: u32,
}

/// The result of running both versions on a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Yes,
    /// The difference was not confirmed, for this reason.
    No(String),
    /// Only the abstract classes behave so; the concrete ones cannot.
    Spurious,
}

/// The answer of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All pairs of paths were explored, for every possible input.
    Equivalent,
    /// An input was found, and the caller has confirmed it.
    Different,
    /// No difference exists on the inputs that [`ComparisonResult::restrictions`] and
    /// [`ComparisonResult::surroundings`] allow, all of which were explored.
    NoDifferenceFound,
    /// Something was left out, or a limit ended the comparison; [`ComparisonResult`] says what.
    Unknown,
}

/// The verdict of a comparison, with what it rests on.
#[derive(Clone)]
pub struct ComparisonResult {
    pub verdict: Verdict,
    pub difference: Option<Candidate>,
    /// The number of paths of the old version.
    pub old_paths: u64,
    /// The number of pairs of an old path and a new path.
    pub pairs: u64,
    /// Pairs with identical terms, for which the solver was not asked.
    pub identical: u64,
    /// Paths of the old version that never reach changed code, so they are paths of the new
    /// version, too.
    pub common: u64,
    /// Paths that the new version continued from the point where they first reached changed code.
    pub taken_over: u64,
    /// The reasons why candidates were not confirmed.
    pub unconfirmed: Vec<String>,
    /// The number of candidates that only abstract classes allow.
    pub dropped: usize,
    /// Whether loops were matched iteration by iteration instead of being run.
    pub is_inductive: bool,
    /// Whether abstract classes took part, which may do less than the concrete ones.
    pub is_abstracted: bool,
    /// Decisions that the solver could not make.
    pub undecided: u64,
    /// Unsupported features that a version needs, with the number of paths that need them.
    pub unsupported: BTreeMap<String, u64>,
    /// Possible inputs that were not tried.
    pub restrictions: BTreeSet<Restriction>,
    /// The parts of their environment that the versions read, such as the time. They were the same
    /// everywhere.
    pub surroundings: BTreeSet<String>,
    /// The limit that ended the comparison early.
    pub stopped: Option<&'static str>,
    pub elapsed: Duration,
    pub queries: u64,
    pub instructions: u64,
    /// The largest number of paths that waited at the same time.
    pub most_waiting: usize,
}

impl ComparisonResult {
    pub(crate) fn new() -> ComparisonResult {
        ComparisonResult {
            verdict: Verdict::Unknown,
            difference: None,
            old_paths: 0,
            pairs: 0,
            identical: 0,
            common: 0,
            taken_over: 0,
            unconfirmed: Vec::new(),
            dropped: 0,
            is_inductive: false,
            is_abstracted: false,
            undecided: 0,
            unsupported: BTreeMap::new(),
            restrictions: BTreeSet::new(),
            surroundings: BTreeSet::new(),
            stopped: None,
            elapsed: Duration::ZERO,
            queries: 0,
            instructions: 0,
            most_waiting: 0,
        }
    }

    /// The comparison of two identical programs, for which nothing has to run.
    pub fn of_one_program() -> ComparisonResult {
        ComparisonResult { verdict: Verdict::Equivalent, ..ComparisonResult::new() }
    }

    /// Records that abstract classes took part, so nothing is proved.
    pub fn was_abstracted(&mut self) {
        self.is_abstracted = true;
        self.verdict = self.judged();
    }

    /// Adds the results of an earlier comparison with abstract classes. What that one left open
    /// stays open, unless this one has decided everything.
    pub fn after(mut self, abstractly: ComparisonResult) -> ComparisonResult {
        self.dropped = abstractly.dropped;
        self.elapsed += abstractly.elapsed;
        self.queries += abstractly.queries;
        self.instructions += abstractly.instructions;
        if self.difference.is_none() && self.left_out().is_some() {
            self.unconfirmed.extend(abstractly.unconfirmed);
            self.verdict = self.judged();
        }
        self
    }

    /// Why a comparison without a difference is incomplete; `None` if it is complete.
    pub fn left_out(&self) -> Option<String> {
        let unsupported = self.unsupported.keys().next().map(|what| format!("not supported: {what}"));
        let stopped = self.stopped.map(|limit| format!("{limit} ended it"));
        let undecided = (self.undecided > 0).then(|| "a condition was not decided".to_owned());
        unsupported.or_else(|| self.unconfirmed.first().cloned()).or(stopped).or(undecided)
    }

    /// The verdict that follows from the other fields.
    pub(crate) fn judged(&self) -> Verdict {
        let left_nothing_out = !self.is_abstracted
            && self.undecided == 0
            && self.unconfirmed.is_empty()
            && self.unsupported.is_empty()
            && self.stopped.is_none();
        let is_restricted = !self.restrictions.is_empty() || !self.surroundings.is_empty();
        match (&self.difference, left_nothing_out) {
            (Some(_), _) => Verdict::Different,
            (None, false) => Verdict::Unknown,
            (None, true) if is_restricted => Verdict::NoDifferenceFound,
            (None, true) => Verdict::Equivalent,
        }
    }
}
