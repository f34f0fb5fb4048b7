//! Runs tests ahead of need on idle cores, behind calls that read sequentially.
//!
//! Invariant: the answers, and the order in which they are settled, are those of a run with one
//! job. A test started early only uses an idle core, and its result waits in the session's cache.
//! Tests whose answers no longer matter are cancelled; one that answers all the same is remembered,
//! so that no candidate is judged twice.
//!
//! A bisection looks ahead along its own decision tree. With `2^k - 1` jobs it settles `k` levels
//! at a time, like a `(jobs + 1)`-ary search, but it ends where plain bisection would even if the
//! predicate is not monotone.

use crate::session::{Prepared, StageOracle};
use crate::strategy::{bisect_one_by_one, midpoint};
use crate::{Cancel, Judgment, Key, Oracle, Predicate, PredicateError, Stop};
use lapidary_logic::VarSet;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder, Scope};

pub(crate) struct Speculation<'o, 's, 'a> {
    oracle: &'o mut StageOracle<'s, 'a>,
}

/// When to stop looking at candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Found,
    Exhausted,
}

impl<'o, 's, 'a> Speculation<'o, 's, 'a> {
    pub fn new(oracle: &'o mut StageOracle<'s, 'a>) -> Self {
        Speculation { oracle }
    }

    pub fn first(mut self, candidates: &mut dyn Iterator<Item = VarSet>) -> Result<Option<(usize, VarSet)>, Stop> {
        let mut found = None;
        self.in_order(candidates, Until::Found, &mut |position, keep, interesting| {
            if interesting {
                found = Some((position, keep));
            }
        })?;
        Ok(found)
    }

    pub fn each(mut self, candidates: &[VarSet]) -> Result<Vec<bool>, Stop> {
        let mut answers = Vec::with_capacity(candidates.len());
        self.in_order(&mut candidates.iter().cloned(), Until::Exhausted, &mut |_, _, interesting| {
            answers.push(interesting)
        })?;
        Ok(answers)
    }

    /// Settles candidates in order, with up to `jobs` tests running.
    fn in_order(
        &mut self,
        candidates: &mut dyn Iterator<Item = VarSet>,
        until: Until,
        answer: &mut dyn FnMut(usize, VarSet, bool),
    ) -> Result<(), Stop> {
        if self.jobs() == 1 {
            return self.one_by_one(candidates, until, answer);
        }
        let predicate = self.oracle.session.predicate;
        thread::scope(|scope| {
            let mut flight = Flight::new(scope, predicate, self.oracle.session.stage_halt.clone());
            let mut window: VecDeque<(VarSet, Option<Prepared>)> = VecDeque::new();
            let mut position = 0;
            let mut exhausted = false;
            loop {
                while window.front().is_some_and(|(_, prepared)| self.is_known(prepared.as_ref())) {
                    let (keep, prepared) = window.pop_front().expect("the window has a front");
                    let interesting = prepared.map_or(Ok(false), |prepared| self.oracle.settle(&prepared, &keep))?;
                    answer(position, keep, interesting);
                    if interesting && until == Until::Found {
                        return self.collect(&mut flight);
                    }
                    position += 1;
                }
                while !exhausted && flight.len() < self.jobs() && !self.is_enough(&window, until) {
                    match candidates.next() {
                        None => exhausted = true,
                        Some(keep) => {
                            let prepared = self.oracle.prepare(&keep);
                            self.start(&mut flight, prepared.as_ref(), &keep)?;
                            window.push_back((keep, prepared));
                        }
                    }
                }
                match window.front() {
                    None if exhausted => return Ok(()),
                    Some((_, prepared)) if !self.is_known(prepared.as_ref()) => self.land(&mut flight)?,
                    _ => {}
                }
            }
        })
    }

    fn one_by_one(
        &mut self,
        candidates: &mut dyn Iterator<Item = VarSet>,
        until: Until,
        answer: &mut dyn FnMut(usize, VarSet, bool),
    ) -> Result<(), Stop> {
        for (position, keep) in candidates.enumerate() {
            let interesting = self.oracle.test(&keep)?;
            answer(position, keep, interesting);
            if interesting && until == Until::Found {
                break;
            }
        }
        Ok(())
    }

    pub fn bisect(
        mut self,
        mut low: usize,
        mut high: usize,
        candidate: &(dyn Fn(usize) -> VarSet + Sync),
    ) -> Result<usize, Stop> {
        if self.jobs() == 1 {
            return bisect_one_by_one(low, high, &mut |index| self.oracle.test(&candidate(index)));
        }
        let predicate = self.oracle.session.predicate;
        thread::scope(|scope| {
            let mut flight = Flight::new(scope, predicate, self.oracle.session.stage_halt.clone());
            let mut prepared: HashMap<usize, (VarSet, Option<Prepared>)> = HashMap::new();
            while let Some(middle) = midpoint(low, high) {
                for index in self.look_ahead(low, high, &prepared) {
                    let Entry::Vacant(place) = prepared.entry(index) else { continue };
                    let keep = candidate(index);
                    let written = self.oracle.prepare(&keep);
                    self.start(&mut flight, written.as_ref(), &keep)?;
                    place.insert((keep, written));
                }
                let (keep, written) = &prepared[&middle];
                if !self.is_known(written.as_ref()) {
                    self.land(&mut flight)?;
                    continue;
                }
                let interesting = written.as_ref().map_or(Ok(false), |written| self.oracle.settle(written, keep))?;
                match interesting {
                    true => high = middle,
                    false => low = middle,
                }
                prepared.retain(|&index, _| low < index && index < high);
                flight.cancel_all_but(
                    prepared.values().filter_map(|(_, written)| written.as_ref()).map(|written| written.key),
                );
            }
            self.collect(&mut flight)?;
            Ok(high)
        })
    }

    /// The next questions of the bisection, nearest first, as many as can be tested at once. The
    /// branch after an uninteresting answer comes first, because most prefixes lack something.
    fn look_ahead(&self, low: usize, high: usize, prepared: &HashMap<usize, (VarSet, Option<Prepared>)>) -> Vec<usize> {
        let mut open = VecDeque::from([(low, high)]);
        let mut questions = Vec::new();
        while let Some((low, high)) = open.pop_front()
            && questions.len() < self.jobs()
        {
            let Some(middle) = midpoint(low, high) else { continue };
            match prepared.get(&middle).and_then(|(_, written)| self.answer(written.as_ref())) {
                Some(true) => open.push_back((low, middle)),
                Some(false) => open.push_back((middle, high)),
                None => {
                    questions.push(middle);
                    open.extend([(middle, high), (low, middle)]);
                }
            }
        }
        questions
    }

    fn jobs(&self) -> usize {
        self.oracle.session.limits.jobs.max(1)
    }

    /// The known answer about a candidate. One that cannot be rendered is not interesting.
    fn answer(&self, prepared: Option<&Prepared>) -> Option<bool> {
        prepared.map_or(Some(false), |prepared| self.oracle.session.known(&prepared.key))
    }

    fn is_known(&self, prepared: Option<&Prepared>) -> bool {
        self.answer(prepared).is_some()
    }

    /// Whether candidates after those in the window cannot matter, or exceed the budget.
    fn is_enough(&self, window: &VecDeque<(VarSet, Option<Prepared>)>, until: Until) -> bool {
        let found = || window.iter().any(|(_, prepared)| self.answer(prepared.as_ref()) == Some(true));
        until == Until::Found && found() || window.len() as u64 >= self.oracle.session.allowance().max(1)
    }

    fn start(&mut self, flight: &mut Flight<'_, '_>, prepared: Option<&Prepared>, keep: &VarSet) -> Result<(), Stop> {
        let session = &*self.oracle.session;
        if session.is_halted() {
            return Err(session.why_halted());
        }
        if let Some(prepared) = prepared
            && session.known(&prepared.key).is_none()
            && !flight.is_testing(&prepared.key)
        {
            self.oracle.begin_test(prepared, keep)?;
            flight.start(prepared);
        }
        Ok(())
    }

    /// Ends all tests, and puts the answers of those that had one into the cache. The threads of
    /// the others are waited for in any case.
    fn collect(&mut self, flight: &mut Flight<'_, '_>) -> Result<(), Stop> {
        while let Some((key, answer)) = flight.landed_already() {
            self.oracle.session.learn(key, answer)?;
        }
        flight.cancel_all_but([].into_iter());
        while let Some((key, judgment)) = self.oracle.session.wait_for(|| flight.land_cancelled()) {
            self.oracle.session.learn(key, Ok(judgment))?;
        }
        Ok(())
    }

    /// Waits for one test to end.
    fn land(&mut self, flight: &mut Flight<'_, '_>) -> Result<(), Stop> {
        let (key, answer) = self.oracle.session.wait_for(|| flight.land());
        self.oracle.session.learn(key, answer)
    }
}

/// The tests that are running. Dropping it cancels them.
struct Flight<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    predicate: &'env dyn Predicate,
    halt: Cancel,
    /// Keyed by number, since a cancelled candidate may be needed again while its first test is
    /// still ending.
    running: BTreeMap<u64, (Key, Cancel)>,
    /// The candidates of cancelled tests that have not ended.
    cancelled: BTreeMap<u64, Key>,
    started: u64,
    landed: (Sender<Landing>, Receiver<Landing>),
}

type Landing = (u64, Result<Judgment, PredicateError>);
type Answered = (Key, Result<Judgment, PredicateError>);

impl<'scope, 'env> Flight<'scope, 'env> {
    fn new(scope: &'scope Scope<'scope, 'env>, predicate: &'env dyn Predicate, halt: Cancel) -> Self {
        Flight {
            scope,
            predicate,
            halt,
            running: BTreeMap::new(),
            cancelled: BTreeMap::new(),
            started: 0,
            landed: channel(),
        }
    }

    fn len(&self) -> usize {
        self.running.len()
    }

    fn is_testing(&self, candidate: &Key) -> bool {
        self.running.values().any(|(key, _)| key == candidate)
    }

    /// Starts a test.
    fn start(&mut self, prepared: &Prepared) {
        let cancel = self.halt.child();
        self.started += 1;
        let number = self.started;
        self.running.insert(number, (prepared.key, cancel.clone()));
        let (predicate, tree, landed) = (self.predicate, prepared.tree.clone(), self.landed.0.clone());
        let judge = move || {
            let judge = AssertUnwindSafe(|| predicate.judge(&tree, &cancel));
            let answer =
                catch_unwind(judge).unwrap_or_else(|_| Err(PredicateError::Fatal("the test runner panicked".into())));
            // The receiver is gone if the answer comes too late.
            let _ = landed.send((number, answer));
        };
        // If the system has no thread to spare, this one runs the test.
        if Builder::new().spawn_scoped(self.scope, judge.clone()).is_err() {
            judge();
        }
    }

    /// Waits for the next test to end that was not cancelled, or has an answer.
    fn land(&mut self) -> Answered {
        loop {
            let (number, answer) = self.landed.1.recv().expect("this side holds a sender");
            if let Some(landed) = self.taken(number, answer) {
                return landed;
            }
        }
    }

    /// Waits for the next cancelled test to end that has an answer.
    fn land_cancelled(&mut self) -> Option<(Key, Judgment)> {
        while !self.cancelled.is_empty() {
            let (number, answer) = self.landed.1.recv().ok()?;
            if let Some((key, Ok(judgment))) = self.taken(number, answer) {
                return Some((key, judgment));
            }
        }
        None
    }

    fn taken(&mut self, number: u64, answer: Result<Judgment, PredicateError>) -> Option<Answered> {
        if let Some((key, _)) = self.running.remove(&number) {
            return Some((key, answer));
        }
        let key = self.cancelled.remove(&number)?;
        answer.is_ok().then_some((key, answer))
    }

    /// A test that has already ended, if there is one.
    fn landed_already(&mut self) -> Option<Answered> {
        loop {
            let (number, answer) = self.landed.1.try_recv().ok()?;
            if let Some(landed) = self.taken(number, answer) {
                return Some(landed);
            }
        }
    }

    fn cancel_all_but(&mut self, wanted: impl Iterator<Item = Key>) {
        let wanted: Vec<Key> = wanted.collect();
        self.running.retain(|number, (key, cancel)| {
            let keep = wanted.contains(key);
            if !keep {
                cancel.cancel();
                self.cancelled.insert(*number, *key);
            }
            keep
        });
    }
}

impl Drop for Flight<'_, '_> {
    fn drop(&mut self) {
        self.running.values().for_each(|(_, cancel)| cancel.cancel());
    }
}
