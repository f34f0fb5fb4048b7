//! What a comparison comes to.

use crate::matching::Where;
use lapidary_symbolic::{Part, PathEnd, Pinned, Restriction};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// An input on which the versions seem to differ, and what each is expected to do with it.
#[derive(Clone)]
pub struct Candidate {
    /// The input, for whoever wants to try it on another machine.
    pub input: Pinned,
    pub old: PathEnd,
    /// Its inputs are those of both: what only one version reads is there, too.
    pub new: PathEnd,
    pub at: Where,
    /// Whether the versions seem to differ in the order alone in which they go through a `HashMap` or a `HashSet`.
    pub is_hash_order: bool,
    /// What crosses the boundary in each version.
    pub old_trace: Vec<Step>,
    pub new_trace: Vec<Step>,
}

/// Something that crosses the boundary, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub text: String,
    /// Where it begins, as in `shop.Main.run:12`.
    pub place: String,
    pub to: Part,
    pub depth: u32,
}

/// What whoever ran both versions says about a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Yes,
    /// Why not.
    No(String),
    /// The classes in whose place abstract ones stand cannot behave so.
    Spurious,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every pair of paths was explored, for every input there is.
    Equivalent,
    /// An input was found, and whoever was asked has confirmed it.
    Different,
    /// No difference on any input that [`Comparison::restrictions`] and [`Comparison::surroundings`] let be; all of those were explored.
    NoDifferenceFound,
    /// Something of that was left out, or a limit ended the comparison: what, is in [`Comparison`].
    Unknown,
}

#[derive(Clone)]
pub struct Comparison {
    pub verdict: Verdict,
    pub difference: Option<Candidate>,
    /// Paths of the old version, and pairs of them with paths of the new one.
    pub old_paths: u64,
    pub pairs: u64,
    /// Pairs that are the same terms; no solver was asked.
    pub identical: u64,
    /// Paths of the old version that never come to code that differs: they are the new version's, too.
    pub common: u64,
    /// Paths that the new version went on with where both first came to such code.
    pub taken_over: u64,
    /// Candidates that were not confirmed, and why.
    pub unconfirmed: Vec<String>,
    /// How many candidates only abstract classes allow.
    pub dropped: usize,
    /// Whether loops were matched turn by turn instead of being run.
    pub is_inductive: bool,
    /// Whether abstract classes took part, which may do less than the concrete ones.
    pub is_abstracted: bool,
    /// Decisions that the solver could not make.
    pub undecided: u64,
    /// What one of the versions needed and the machine cannot do, and how many paths needed it.
    pub unsupported: BTreeMap<String, u64>,
    /// What inputs could have been and were not.
    pub restrictions: BTreeSet<Restriction>,
    /// What the versions asked of their surroundings, such as the time: it was one and the same everywhere.
    pub surroundings: BTreeSet<String>,
    /// Which limit ended it early.
    pub stopped: Option<&'static str>,
    pub elapsed: Duration,
    pub queries: u64,
    pub instructions: u64,
    /// The most paths that waited at a time.
    pub most_waiting: usize,
}

impl Comparison {
    pub(crate) fn new() -> Comparison {
        Comparison {
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

    /// Of versions that are the same program: nothing has to run.
    pub fn of_one_program() -> Comparison {
        Comparison { verdict: Verdict::Equivalent, ..Comparison::new() }
    }

    /// Abstract classes took part: nothing is proved.
    pub fn was_abstracted(&mut self) {
        self.is_abstracted = true;
        self.verdict = self.judged();
    }

    /// This one followed one with abstract classes. What those left open stays open, unless the concrete classes have decided everything.
    pub fn after(mut self, abstractly: Comparison) -> Comparison {
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

    /// What keeps a comparison without a difference from being the whole truth about its inputs.
    pub fn left_out(&self) -> Option<String> {
        let unsupported = self.unsupported.keys().next().map(|what| format!("not supported: {what}"));
        let stopped = self.stopped.map(|limit| format!("{limit} ended it"));
        let undecided = (self.undecided > 0).then(|| "a condition was not decided".to_owned());
        unsupported.or_else(|| self.unconfirmed.first().cloned()).or(stopped).or(undecided)
    }

    /// What follows from everything else.
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
