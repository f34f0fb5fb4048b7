//! Where model, strategy and predicate meet: the cache, the budget, the best result so far, and the count of it all.
//!
//! Invariants: no candidate is judged twice; the best size never grows; what is counted, recorded and kept as best is
//! exactly what a run with one job would count, record and keep, in the same order. A result that was computed ahead of
//! need ([`speculation`](crate::speculation)) waits in the cache until it is needed.

use crate::speculation::Speculation;
use crate::{Cancel, FileTree, Judgment, Key, Model, Oracle, Predicate, PredicateError, Size, Stop, Verdict};
use lapidary_logic::VarSet;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// What limits a session and how many tests run at once.
#[derive(Clone)]
pub struct Limits {
    pub jobs: usize,
    /// At most this many tests, counted as a run with one job would.
    pub tests: Option<u64>,
    pub deadline: Option<Instant>,
    /// Fires when the user wants to stop.
    pub interrupt: Cancel,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { jobs: 1, tests: None, deadline: None, interrupt: Cancel::new() }
    }
}

/// How many tests of which sort. See docs/reference/cli.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that the strategies needed, as a run with one job would count them.
    pub search: u64,
    /// Tests of passes that only confirmed that nothing more goes.
    pub confirm: u64,
    /// Judgments asked of the predicate, speculation included.
    pub run: u64,
    /// Answers from the cache.
    pub cached: u64,
    pub interesting: u64,
    pub unresolved: u64,
    pub timed_out: u64,
}

/// One settled test, for the journal and the progress line.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    pub number: u64,
    pub stage: &'a str,
    pub key: Key,
    pub judgment: &'a Judgment,
    pub bytes: u64,
    /// The candidate, and what its stage started with.
    pub keep: &'a VarSet,
    pub start: &'a VarSet,
    pub improved: bool,
}

/// Follows a session: writes the journal, shows progress, saves the best result. An error stops the session.
pub trait Observer {
    fn stage(&mut self, _stage: &StageInfo<'_>) -> Result<(), String> {
        Ok(())
    }

    fn test(&mut self, _event: &Event<'_>, _counts: &Counts) -> Result<(), String> {
        Ok(())
    }

    /// A new smallest interesting candidate.
    fn improved(&mut self, _best: &FileTree) -> Result<(), String> {
        Ok(())
    }
}

/// What a stage starts from.
#[derive(Clone, Debug)]
pub struct StageInfo<'a> {
    pub round: u32,
    pub name: &'a str,
    pub strategy: &'static str,
    pub items: usize,
    pub clauses: usize,
    pub bytes: u64,
}

impl Observer for () {}

/// A reduction in progress.
pub struct Session<'a> {
    pub(crate) predicate: &'a dyn Predicate,
    pub(crate) limits: Limits,
    /// Fires when the user interrupts or the deadline passes.
    pub(crate) halt: Cancel,
    observer: &'a mut dyn Observer,
    /// Everything that was judged, needed or not.
    known: HashMap<Key, Judgment>,
    /// What has been needed, and so counted and recorded.
    settled: HashSet<Key>,
    /// What an earlier run has judged: it does not use up the budget.
    replayed: HashSet<Key>,
    /// How much of the budget is used up.
    spent: u64,
    counts: Counts,
    /// Whether tests count as confirming rather than searching.
    confirming: bool,
    in_tests: Duration,
    best: FileTree,
    best_size: Size,
}

impl<'a> Session<'a> {
    /// `input` must be interesting.
    pub fn new(input: FileTree, predicate: &'a dyn Predicate, limits: Limits, observer: &'a mut dyn Observer) -> Self {
        let halt = limits.interrupt.child();
        if let Some(deadline) = limits.deadline {
            stop_at(deadline, &halt);
        }
        let mut session = Session {
            predicate,
            limits,
            halt,
            observer,
            known: HashMap::new(),
            settled: HashSet::new(),
            replayed: HashSet::new(),
            spent: 0,
            counts: Counts::default(),
            confirming: false,
            in_tests: Duration::ZERO,
            best_size: input.size(),
            best: input,
        };
        let key = session.best.key();
        session.settled.insert(key);
        session.known.insert(key, Judgment::new(Verdict::Interesting, "the input"));
        session
    }

    /// Judgments of an earlier run; they will not be asked for again.
    pub fn remember(&mut self, known: impl IntoIterator<Item = (Key, Judgment)>) {
        for (key, judgment) in known {
            self.replayed.insert(key);
            self.known.insert(key, judgment);
        }
    }

    pub fn best(&self) -> &FileTree {
        &self.best
    }

    pub fn best_size(&self) -> Size {
        self.best_size
    }

    /// Takes a candidate that is known to be interesting, and no larger than the best, for the best.
    pub(crate) fn adopt(&mut self, tree: &FileTree) -> Result<(), Stop> {
        self.observer.improved(tree).map_err(Stop::Failed)?;
        self.best_size = tree.size();
        self.best = tree.clone();
        Ok(())
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The time spent in tests, summed over all jobs.
    pub fn in_tests(&self) -> Duration {
        self.in_tests
    }

    pub fn set_confirming(&mut self, confirming: bool) {
        self.confirming = confirming;
    }

    /// Tests that were counted as confirming turned out to be part of the search.
    pub fn recount_as_search(&mut self, confirmed_before: u64) {
        self.counts.search += self.counts.confirm - confirmed_before;
        self.counts.confirm = confirmed_before;
    }

    pub fn begin_stage(&mut self, stage: &StageInfo<'_>) -> Result<(), Stop> {
        self.observer.stage(stage).map_err(Stop::Failed)
    }

    /// An oracle for candidates of `model`.
    pub fn oracle<'s>(&'s mut self, model: &'s dyn Model, stage: &'s str, start: &'s VarSet) -> StageOracle<'s, 'a> {
        StageOracle { session: self, model, stage, start, best: None }
    }

    /// Judges a candidate outside of any search. Nothing is counted but the run itself.
    pub fn check(&mut self, candidate: &FileTree) -> Result<bool, Stop> {
        let key = candidate.key();
        if let Some(judgment) = self.known.get(&key) {
            return Ok(judgment.is_interesting());
        }
        self.count_run();
        let judgment = self.predicate.judge(candidate, &self.halt.child());
        self.learn(key, judgment)?;
        Ok(self.known[&key].is_interesting())
    }

    pub(crate) fn known(&self, key: &Key) -> Option<bool> {
        self.known.get(key).map(Judgment::is_interesting)
    }

    /// Puts the answer to a judgment that was asked for into the cache.
    pub(crate) fn learn(&mut self, key: Key, answer: Result<Judgment, PredicateError>) -> Result<(), Stop> {
        match answer {
            Ok(judgment) => {
                self.in_tests += judgment.elapsed;
                self.known.insert(key, judgment);
                Ok(())
            }
            Err(PredicateError::Cancelled) => Err(self.why_halted()),
            Err(PredicateError::Fatal(reason)) => Err(Stop::Failed(reason)),
        }
    }

    pub(crate) fn count_run(&mut self) {
        self.counts.run += 1;
    }

    pub(crate) fn why_halted(&self) -> Stop {
        match self.limits.interrupt.is_cancelled() {
            true => Stop::Interrupted,
            false => Stop::Budget,
        }
    }

    /// How many more candidates may be needed before the budget is used up.
    pub(crate) fn allowance(&self) -> u64 {
        self.limits.tests.map_or(u64::MAX, |tests| tests.saturating_sub(self.spent))
    }

    /// Takes one test from the budget, unless an earlier run has paid for it.
    fn spend(&mut self, key: Key) -> Result<(), Stop> {
        if !self.replayed.contains(&key) {
            if self.allowance() == 0 {
                return Err(Stop::Budget);
            }
            self.spent += 1;
        }
        Ok(())
    }

    /// Counts and records a candidate that the search needs, and whose judgment is known.
    fn settle(&mut self, prepared: &Prepared, keep: &VarSet, stage: &str, start: &VarSet) -> Result<bool, Stop> {
        let judgment = self.known[&prepared.key].clone();
        if !self.settled.insert(prepared.key) {
            self.counts.cached += 1;
            return Ok(judgment.is_interesting());
        }
        self.spend(prepared.key)?;
        match self.confirming {
            true => self.counts.confirm += 1,
            false => self.counts.search += 1,
        }
        self.counts.interesting += u64::from(judgment.is_interesting());
        self.counts.unresolved += u64::from(judgment.verdict == Verdict::Unresolved);
        self.counts.timed_out += u64::from(judgment.timed_out);
        let size = prepared.tree.size();
        let improved = judgment.is_interesting() && size < self.best_size;
        if improved {
            self.adopt(&prepared.tree)?;
        }
        let number = self.counts.search + self.counts.confirm;
        let event =
            Event { number, stage, key: prepared.key, judgment: &judgment, bytes: size.bytes, keep, start, improved };
        self.observer.test(&event, &self.counts).map_err(Stop::Failed)?;
        Ok(judgment.is_interesting())
    }
}

/// Cancels `halt` when the time has come, unless the session is gone by then.
fn stop_at(deadline: Instant, halt: &Cancel) {
    let halt = halt.downgrade();
    std::thread::spawn(move || {
        while let Some(remaining) = deadline.checked_duration_since(Instant::now()) {
            std::thread::sleep(remaining.min(Duration::from_millis(200)));
            if halt.upgrade().is_none() {
                return;
            }
        }
        if let Some(halt) = halt.upgrade() {
            halt.cancel();
        }
    });
}

/// A candidate written out, ready to be judged.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub key: Key,
    pub tree: FileTree,
}

/// Answers a strategy's questions about one model's candidates.
pub struct StageOracle<'s, 'a> {
    pub(crate) session: &'s mut Session<'a>,
    model: &'s dyn Model,
    stage: &'s str,
    start: &'s VarSet,
    /// The smallest interesting candidate of this stage, with its size.
    best: Option<(Size, VarSet)>,
}

impl StageOracle<'_, '_> {
    /// The smallest interesting candidate that was tested, with its size.
    pub fn into_best(self) -> Option<(Size, VarSet)> {
        self.best
    }

    pub(crate) fn prepare(&self, keep: &VarSet) -> Option<Prepared> {
        let tree = self.model.render(keep).ok()?;
        Some(Prepared { key: tree.key(), tree })
    }

    /// The answer a strategy gets: counted, recorded, and remembered as best if it is.
    pub(crate) fn settle(&mut self, prepared: &Prepared, keep: &VarSet) -> Result<bool, Stop> {
        let interesting = self.session.settle(prepared, keep, self.stage, self.start)?;
        let size = prepared.tree.size();
        let smaller = self.best.as_ref().is_none_or(|(least, best)| (size, keep.len()) < (*least, best.len()));
        if interesting && smaller {
            self.best = Some((size, keep.clone()));
        }
        Ok(interesting)
    }
}

impl Oracle for StageOracle<'_, '_> {
    fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
        // A candidate that cannot be written is not interesting; models promise to write every valid one.
        let Some(prepared) = self.prepare(keep) else { return Ok(false) };
        if self.session.halt.is_cancelled() {
            return Err(self.session.why_halted());
        }
        if self.session.known(&prepared.key).is_none() {
            if self.session.allowance() == 0 {
                return Err(Stop::Budget);
            }
            self.session.count_run();
            let answer = self.session.predicate.judge(&prepared.tree, &self.session.halt.child());
            self.session.learn(prepared.key, answer)?;
        }
        self.settle(&prepared, keep)
    }

    fn first(&mut self, candidates: &mut dyn Iterator<Item = VarSet>) -> Result<Option<(usize, VarSet)>, Stop> {
        Speculation::new(self).first(candidates)
    }

    fn each(&mut self, candidates: &[VarSet]) -> Result<Vec<bool>, Stop> {
        Speculation::new(self).each(candidates)
    }

    fn bisect(&mut self, low: usize, high: usize, candidate: &(dyn Fn(usize) -> VarSet + Sync)) -> Result<usize, Stop> {
        Speculation::new(self).bisect(low, high, candidate)
    }
}
