//! The session, where model, strategy and predicate meet. It holds the cache, the budget, the best
//! result so far, and the counts.
//!
//! Invariants: no candidate is judged twice; the best size never grows; counts, records and best
//! results are exactly those of a run with one job, in the same order. A result computed ahead of
//! need ([`speculation`](crate::speculation)) waits in the cache until it is needed.

use crate::control::{Control, Skip};
use crate::keepers::{Evidence, Keeper};
use crate::{Cancel, FileTree, Item, Judgment, Key, Model, Oracle, Predicate, PredicateError, Size, Stop, Verdict};
use lapidary_logic::VarSet;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The limits of a session.
#[derive(Clone)]
pub struct Limits {
    /// How many tests run at once.
    pub jobs: usize,
    /// The largest number of tests, counted as in a run with one job.
    pub tests: Option<u64>,
    /// The latest time at which the session ends.
    pub deadline: Option<Instant>,
    /// Fires when the user wants to stop.
    pub cancel: Cancel,
    /// Holds the session, and skips stages.
    pub control: Control,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { jobs: 1, tests: None, deadline: None, cancel: Cancel::new(), control: Control::default() }
    }
}

/// Counts of tests by kind. See docs/reference/cli.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that the strategies needed, counted as in a run with one job.
    pub search: u64,
    /// Tests of passes that only confirmed that nothing more can be removed.
    pub confirm: u64,
    /// Judgments requested from the predicate, including speculative ones.
    pub run: u64,
    /// Answers from the cache.
    pub cached: u64,
    /// Candidates that still fail.
    pub interesting: u64,
    /// Candidates on which the test could not decide.
    pub unresolved: u64,
    /// Tests that were ended because they took too long.
    pub timed_out: u64,
}

/// One settled test, for the journal and the progress line.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// The number of the test, counted from 1.
    pub number: u64,
    /// The name of the stage.
    pub stage: &'a str,
    /// The content key of the candidate.
    pub key: Key,
    /// The verdict and its reason.
    pub judgment: &'a Judgment,
    /// The size of the candidate.
    pub bytes: u64,
    /// The variables that the candidate keeps.
    pub keep: &'a VarSet,
    /// The variables that the stage started with.
    pub start: &'a VarSet,
    /// Whether the candidate became the best result.
    pub improved: bool,
    /// Whether an earlier run judged it, so that this one did not run the test.
    pub replayed: bool,
    /// How long the session has waited for tests so far. The rest of the time is our own.
    pub waited: Duration,
}

/// A test that starts.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    /// The items of the stage's model.
    pub items: &'a [Item],
    /// The variables of the smallest interesting candidate of the stage so far.
    pub base: &'a VarSet,
    /// The variables that the candidate keeps.
    pub keep: &'a VarSet,
    /// The size of the candidate.
    pub bytes: u64,
}

/// Follows a session, for example to write the journal, show progress or save the best result. An
/// error stops the session.
pub trait Observer {
    /// A stage begins.
    fn stage(&mut self, _stage: &StageInfo<'_>) -> Result<(), String> {
        Ok(())
    }

    /// A test starts. With several jobs it may be needed later, or never.
    fn trying(&mut self, _trial: &Trial<'_>) {}

    /// A test is settled.
    fn test(&mut self, _event: &Event<'_>, _counts: &Counts) -> Result<(), String> {
        Ok(())
    }

    /// A stage has finished without being stopped.
    fn stage_ended(&mut self, _end: &StageEnd<'_>) -> Result<(), String> {
        Ok(())
    }

    /// The user skipped the stage in progress after so many answers.
    fn skipped(&mut self, _stage: &StageInfo<'_>, _answers: u64) -> Result<(), String> {
        Ok(())
    }

    /// A warning for the user.
    fn warning(&mut self, _text: &str) {}

    /// There is a new best result.
    fn improved(&mut self, _best: &FileTree) -> Result<(), String> {
        Ok(())
    }
}

/// A stage that begins.
#[derive(Clone, Debug)]
pub struct StageInfo<'a> {
    /// The round, counted from 1.
    pub round: u32,
    /// The name of the stage.
    pub name: &'a str,
    /// The name of the strategy.
    pub strategy: &'static str,
    /// The items of its model.
    pub items: &'a [Item],
    /// How many clauses the constraint has.
    pub clauses: usize,
    /// The size of the candidate it starts from.
    pub bytes: u64,
}

/// A stage that has finished, with the items that are left.
pub struct StageEnd<'a> {
    /// The round, counted from 1.
    pub round: u32,
    /// The name of the stage.
    pub name: &'a str,
    /// The items of its model.
    pub items: &'a [Item],
    /// The variables it started with.
    pub start: &'a VarSet,
    /// The variables that are left.
    pub kept: &'a VarSet,
    /// For each item the reason why it stays, if known. Empty if the stage removed something; a
    /// later pass then finds the reasons.
    pub keepers: &'a [Option<Keeper>],
}

impl Observer for () {}

/// A reduction in progress.
pub struct Session<'a> {
    pub(crate) predicate: &'a dyn Predicate,
    pub(crate) limits: Limits,
    /// Fires when the user interrupts or the deadline passes.
    pub(crate) halt: Cancel,
    /// Fires when `halt` does, or when the user skips the stage in progress.
    pub(crate) stage_halt: Cancel,
    /// How often each stage has begun.
    begun_by_name: HashMap<String, u32>,
    /// The number of stages that have begun, and of answers that the last one got.
    begun: u32,
    answers: u64,
    /// The stages that an earlier run skipped.
    skips: Vec<Skip>,
    observer: &'a mut dyn Observer,
    /// Every judgment so far, including those not yet needed.
    known: HashMap<Key, Judgment>,
    /// The candidates that were needed, and so counted and recorded.
    settled: HashSet<Key>,
    /// The candidates that an earlier run judged. They do not use up the budget.
    replayed: HashSet<Key>,
    /// The size of the result that an earlier run left.
    earlier: Option<Size>,
    /// The number of tests taken from the budget.
    spent: u64,
    counts: Counts,
    /// Whether tests count as confirming rather than searching.
    confirming: bool,
    in_tests: Duration,
    /// The time in which this thread waited for tests.
    waited: Duration,
    best: FileTree,
    best_size: Size,
}

impl<'a> Session<'a> {
    /// Starts a session. `input` must be interesting.
    pub fn new(input: FileTree, predicate: &'a dyn Predicate, limits: Limits, observer: &'a mut dyn Observer) -> Self {
        let halt = limits.cancel.child();
        if let Some(deadline) = limits.deadline {
            halt.cancel_at(deadline);
        }
        let mut session = Session {
            predicate,
            limits,
            stage_halt: halt.clone(),
            halt,
            begun_by_name: HashMap::new(),
            begun: 0,
            answers: 0,
            skips: Vec::new(),
            observer,
            known: HashMap::new(),
            settled: HashSet::new(),
            replayed: HashSet::new(),
            earlier: None,
            spent: 0,
            counts: Counts::default(),
            confirming: false,
            in_tests: Duration::ZERO,
            waited: Duration::ZERO,
            best_size: input.size(),
            best: input,
        };
        let key = session.best.key();
        session.settled.insert(key);
        session.known.insert(key, Judgment::new(Verdict::Interesting, "the input"));
        session
    }

    /// Adds judgments of an earlier run, so that they are not requested again.
    pub fn remember(&mut self, known: impl IntoIterator<Item = (Key, Judgment)>) {
        for (key, judgment) in known {
            self.replayed.insert(key);
            self.known.insert(key, judgment);
        }
    }

    /// Protects the result of an earlier run, which has this size: a smaller candidate replaces it
    /// only after a test in this run, whatever [`Session::remember`] says about it.
    pub fn protect(&mut self, earlier: Size) {
        self.earlier = Some(earlier);
    }

    /// Skips the stages that an earlier run skipped, after as many answers.
    pub fn skip_again(&mut self, skips: Vec<Skip>) {
        self.skips = skips;
    }

    /// Passes a warning for the user to the observer.
    pub fn warn(&mut self, text: &str) {
        self.observer.warning(text);
    }

    /// The smallest interesting candidate so far.
    pub fn best(&self) -> &FileTree {
        &self.best
    }

    /// The size of the smallest interesting candidate so far.
    pub fn best_size(&self) -> Size {
        self.best_size
    }

    /// Makes a candidate the best result. It must be interesting and no larger than the current
    /// best.
    pub(crate) fn adopt(&mut self, tree: &FileTree) -> Result<(), Stop> {
        self.observer.improved(tree).map_err(Stop::Failed)?;
        self.best_size = tree.size();
        self.best = tree.clone();
        Ok(())
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The time spent in tests, summed over all jobs.
    pub fn in_tests(&self) -> Duration {
        self.in_tests
    }

    /// How long a test takes on average, if there was one.
    pub(crate) fn mean_test(&self) -> Option<Duration> {
        let runs = u32::try_from(self.counts.run).ok().filter(|runs| *runs > 0)?;
        Some(self.in_tests / runs)
    }

    /// Sets whether the following tests count as confirming or as searching.
    pub fn set_confirming(&mut self, confirming: bool) {
        self.confirming = confirming;
    }

    /// Moves tests from confirming to searching, down to the given number of confirming tests.
    pub fn recount_as_search(&mut self, confirmed_before: u64) {
        self.counts.search += self.counts.confirm - confirmed_before;
        self.counts.confirm = confirmed_before;
    }

    /// Tells the observer that a stage begins.
    pub fn begin_stage(&mut self, stage: &StageInfo<'_>) -> Result<(), Stop> {
        (self.begun, self.answers) = (self.begun + 1, 0);
        *self.begun_by_name.entry(stage.name.to_owned()).or_default() += 1;
        self.stage_halt = self.halt.child();
        self.limits.control.begin_stage(Some(self.stage_halt.clone()));
        self.observer.stage(stage).map_err(Stop::Failed)
    }

    /// Tells the observer that the user skipped the stage in progress.
    pub(crate) fn skip_stage(&mut self, stage: &StageInfo<'_>) -> Result<(), Stop> {
        self.leave_stage();
        self.observer.skipped(stage, self.answers).map_err(Stop::Failed)?;
        self.warn(&format!("the stage {} was skipped, so more might go than this run tried", stage.name));
        Ok(())
    }

    /// Notes that no stage is in progress.
    pub(crate) fn leave_stage(&mut self) {
        self.stage_halt = self.halt.clone();
        self.limits.control.begin_stage(None);
    }

    /// Tells the observer that a stage has finished without being stopped.
    pub fn end_stage(&mut self, end: &StageEnd<'_>) -> Result<(), Stop> {
        self.observer.stage_ended(end).map_err(Stop::Failed)
    }

    /// An oracle for candidates of `model`.
    pub fn oracle<'s>(&'s mut self, model: &'s dyn Model, stage: &'s str, start: &'s VarSet) -> StageOracle<'s, 'a> {
        StageOracle { session: self, model, stage, start, best: None, evidence: Evidence::new(start.universe()) }
    }

    /// Judges a candidate outside of any search. Only the run itself is counted.
    pub fn check(&mut self, candidate: &FileTree) -> Result<bool, Stop> {
        let key = candidate.key();
        if let Some(judgment) = self.known.get(&key) {
            return Ok(judgment.is_interesting());
        }
        self.count_run();
        let judgment = self.judge(candidate, &self.halt.child());
        self.learn(key, judgment)?;
        Ok(self.known[&key].is_interesting())
    }

    /// Runs the test and counts the time as waiting.
    fn judge(&mut self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let predicate = self.predicate;
        self.wait_for(|| predicate.judge(candidate, cancel))
    }

    /// Counts the time of an activity as waiting for tests.
    pub(crate) fn wait_for<T>(&mut self, activity: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = activity();
        self.waited += begun.elapsed();
        result
    }

    /// Waits while the user holds the run, and tells the observer that a test starts.
    pub(crate) fn begin_test(&mut self, trial: &Trial<'_>) -> Result<(), Stop> {
        if self.limits.control.is_paused() {
            let (control, halt) = (self.limits.control.clone(), self.stage_halt.clone());
            self.wait_for(|| control.wait(&halt));
            if self.is_halted() {
                return Err(self.why_halted());
            }
        }
        self.count_run();
        self.observer.trying(trial);
        Ok(())
    }

    pub(crate) fn known(&self, key: &Key) -> Option<bool> {
        self.known.get(key).map(Judgment::is_interesting)
    }

    /// Puts the result of a requested judgment into the cache.
    pub(crate) fn learn(&mut self, key: Key, answer: Result<Judgment, PredicateError>) -> Result<(), Stop> {
        match answer {
            Ok(judgment) => {
                self.in_tests += judgment.elapsed;
                self.known.insert(key, judgment);
                Ok(())
            }
            Err(PredicateError::Cancelled) => Err(self.why_halted()),
            Err(PredicateError::Fatal(reason) | PredicateError::Disturbed(reason)) => Err(Stop::Failed(reason)),
        }
    }

    pub(crate) fn count_run(&mut self) {
        self.counts.run += 1;
    }

    /// Whether the user interrupted, the deadline has passed, or the stage is to be skipped.
    pub(crate) fn is_halted(&self) -> bool {
        self.stage_halt.is_cancelled() || self.limits.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    pub(crate) fn why_halted(&self) -> Stop {
        let is_over =
            self.halt.is_cancelled() || self.limits.deadline.is_some_and(|deadline| deadline <= Instant::now());
        match (self.limits.cancel.is_cancelled(), self.stage_halt.is_cancelled() && !is_over) {
            (true, _) => Stop::Interrupted,
            (false, true) => Stop::Skipped,
            (false, false) => Stop::Budget,
        }
    }

    /// Whether an earlier run skipped the stage in progress after as many answers.
    fn was_skipped_here(&self) -> bool {
        self.skips.contains(&Skip { stage: self.begun, answers: self.answers })
    }

    /// The number of tests left in the budget.
    pub(crate) fn allowance(&self) -> u64 {
        self.limits.tests.map_or(u64::MAX, |tests| tests.saturating_sub(self.spent))
    }

    /// Takes one test from the budget, unless an earlier run already paid for it.
    fn spend(&mut self, key: Key) -> Result<(), Stop> {
        if !self.replayed.contains(&key) {
            if self.allowance() == 0 {
                return Err(Stop::Budget);
            }
            self.spent += 1;
        }
        Ok(())
    }

    /// Tests a candidate again before it replaces the result of an earlier run, if only that run's
    /// journal calls it interesting.
    fn ask_before_replacing(&mut self, prepared: &Prepared) -> Result<(), Stop> {
        let size = prepared.tree.size();
        let replaces = size < self.best_size && self.earlier.is_some_and(|earlier| size < earlier);
        let is_hearsay = self.replayed.contains(&prepared.key) && self.known[&prepared.key].is_interesting();
        if !replaces || !is_hearsay || self.settled.contains(&prepared.key) {
            return Ok(());
        }
        self.count_run();
        let answer = self.judge(&prepared.tree, &self.halt.child());
        if let Ok(Judgment { disturbed: true, reason, .. }) = answer {
            return Err(Stop::Failed(reason));
        }
        self.learn(prepared.key, answer)?;
        if self.known(&prepared.key) == Some(false) {
            self.warn("the journal calls a candidate interesting and the test does not: the test counts");
        }
        Ok(())
    }

    /// Counts and records a candidate that the search needs, and whose judgment is known.
    fn settle(&mut self, prepared: &Prepared, keep: &VarSet, stage: &str, start: &VarSet) -> Result<bool, Stop> {
        if self.was_skipped_here() {
            return Err(Stop::Skipped);
        }
        self.ask_before_replacing(prepared)?;
        self.answers += 1;
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
        let event = Event {
            number,
            stage,
            key: prepared.key,
            judgment: &judgment,
            bytes: size.bytes,
            keep,
            start,
            improved,
            replayed: self.replayed.contains(&prepared.key),
            waited: self.waited,
        };
        self.observer.test(&event, &self.counts).map_err(Stop::Failed)?;
        Ok(judgment.is_interesting())
    }
}

/// A rendered candidate, ready to be judged.
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
    evidence: Evidence,
}

impl StageOracle<'_, '_> {
    /// The smallest interesting candidate with its size, and the evidence about items that stay.
    pub(crate) fn into_parts(self) -> (Option<(Size, VarSet)>, Evidence) {
        (self.best, self.evidence)
    }

    /// Tells the session that the test of a candidate starts.
    pub(crate) fn begin_test(&mut self, prepared: &Prepared, keep: &VarSet) -> Result<(), Stop> {
        let base = self.best.as_ref().map_or(self.start, |(_, best)| best);
        let trial = Trial { items: self.model.items(), base, keep, bytes: prepared.tree.bytes() };
        self.session.begin_test(&trial)
    }

    /// The share of items that is probably needed. A stage that comes again finds little to remove.
    pub(crate) fn usual_share(&self) -> f64 {
        match self.session.begun_by_name.get(self.stage) {
            Some(2..) => 0.9,
            _ => 0.15,
        }
    }

    pub(crate) fn prepare(&self, keep: &VarSet) -> Option<Prepared> {
        let tree = self.model.render(keep).ok()?;
        Some(Prepared { key: tree.key(), tree })
    }

    /// Returns the answer for a strategy, after counting and recording it and updating the best.
    pub(crate) fn settle(&mut self, prepared: &Prepared, keep: &VarSet) -> Result<bool, Stop> {
        let interesting = self.session.settle(prepared, keep, self.stage, self.start)?;
        if !interesting {
            self.evidence.note(self.start, keep, &self.session.known[&prepared.key].reason);
        }
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
        // A candidate that cannot be rendered is not interesting; models promise to render every
        // valid one.
        let Some(prepared) = self.prepare(keep) else { return Ok(false) };
        if self.session.is_halted() {
            return Err(self.session.why_halted());
        }
        if self.session.known(&prepared.key).is_none() {
            if self.session.allowance() == 0 {
                return Err(Stop::Budget);
            }
            if self.session.was_skipped_here() {
                return Err(Stop::Skipped);
            }
            self.begin_test(&prepared, keep)?;
            let cancel = self.session.stage_halt.child();
            let answer = self.session.judge(&prepared.tree, &cancel);
            self.session.learn(prepared.key, answer)?;
        }
        self.settle(&prepared, keep)
    }
}
