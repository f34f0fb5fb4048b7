//! Runs tests ahead of need, behind calls that read sequentially.
//!
//! Invariant: the answers, and the order in which they are settled, are those of a run with one
//! job. A test started early only uses an idle core, and its result waits in the session's cache.
//! Tests whose answers no longer matter are cancelled; one that answers all the same is remembered,
//! so that no candidate is judged twice.
//!
//! There are three sources of questions to come. The call that waits for an answer has further
//! candidates. A bisection has its own decision tree: with `2^k - 1` jobs it settles `k` levels at a
//! time, like a `(jobs + 1)`-ary search, but it ends where plain bisection would even if the
//! predicate is not monotone. With many jobs, [`foresight`] tells what the strategy will ask after
//! this call. docs/concepts/speculation.md has the whole picture.

mod beliefs;
mod flight;
mod foresight;
mod ghost;

use crate::session::{Prepared, StageOracle};
use crate::strategy::midpoint;
use crate::{Judgment, Key, Oracle, PredicateError, Space, Stop, Strategy};
use beliefs::Beliefs;
use flight::Flight;
use foresight::{Foresight, Step};
use ghost::{Asked, Print, print_of};
use lapidary_logic::VarSet;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, Scope};
use std::time::Duration;

/// With fewer jobs, the candidates of one call keep them busy.
const MANY: usize = 4;

/// Ghosts cost processor time. Where tests are shorter than this, it is better spent on tests.
const SHORT: Duration = Duration::from_millis(10);

/// Runs a strategy with as many tests at once as the session allows.
pub(crate) fn search(
    oracle: &mut StageOracle<'_, '_>,
    strategy: &dyn Strategy,
    space: &Space<'_>,
) -> Result<VarSet, Stop> {
    let session = &*oracle.session;
    if session.limits.jobs <= 1 {
        return strategy.reduce(space, oracle);
    }
    let looks_ahead = session.limits.jobs >= MANY && session.mean_test().is_none_or(|mean| mean >= SHORT);
    // A copy of what it is now, before it learns from this search.
    let ahead = if looks_ahead { strategy.fork() } else { None };
    thread::scope(|scope| {
        let mut speculation = Speculation::new(oracle, scope, space, ahead.as_deref());
        let result = strategy.reduce(space, &mut speculation);
        let ended = speculation.end();
        result.and_then(|found| ended.map(|()| found))
    })
}

/// A message for the thread of the strategy.
enum News {
    /// A test has ended.
    Landed(Landing),
    /// A ghost waits at a question.
    Asked(Asked),
    /// A ghost has ended.
    Vanished(u64),
}

/// The end of a test.
struct Landing {
    number: u64,
    answer: Result<Judgment, PredicateError>,
}

/// A candidate of the call that waits for an answer.
struct Pending {
    keep: VarSet,
    print: Print,
    /// `None` if it cannot be rendered.
    prepared: Option<Prepared>,
}

/// When to stop looking at candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Found,
    Exhausted,
}

/// An oracle that tests several candidates at once.
struct Speculation<'o, 's, 'a, 'scope, 'env> {
    oracle: &'o mut StageOracle<'s, 'a>,
    flight: Flight<'scope, 'env>,
    foresight: Option<Foresight<'scope, 'env>>,
    news: Receiver<News>,
    beliefs: Beliefs,
    /// The prints of candidates that were started and have no answer yet.
    prints: HashMap<Key, Vec<Print>>,
    /// Whether an answer may have made tests useless.
    has_turned: bool,
}

impl<'o, 's, 'a, 'scope, 'env> Speculation<'o, 's, 'a, 'scope, 'env>
where
    'a: 'env,
{
    fn new(
        oracle: &'o mut StageOracle<'s, 'a>,
        scope: &'scope Scope<'scope, 'env>,
        space: &'env Space<'env>,
        ahead: Option<&'env dyn Strategy>,
    ) -> Self {
        let (tell, news) = channel();
        let session = &*oracle.session;
        let flight = Flight::new(scope, session.predicate, session.stage_halt.clone(), tell.clone());
        let beliefs = Beliefs::new(space.start(), oracle.usual_share());
        let foresight = ahead.map(|strategy| Foresight::new(scope, space, strategy, beliefs.clone(), tell));
        Speculation { oracle, flight, foresight, news, beliefs, prints: HashMap::new(), has_turned: false }
    }

    /// Settles candidates in order.
    fn in_order(
        &mut self,
        candidates: &mut dyn Iterator<Item = VarSet>,
        until: Until,
        answer: &mut dyn FnMut(usize, VarSet, bool),
    ) -> Result<(), Stop> {
        let mut window: VecDeque<Pending> = VecDeque::new();
        let mut position = 0;
        let mut is_exhausted = false;
        loop {
            while window.front().is_some_and(|front| self.answer(front).is_some()) {
                let front = window.pop_front().expect("the window has a front");
                let interesting = self.settle(&front)?;
                answer(position, front.keep, interesting);
                if interesting && until == Until::Found {
                    self.cancel_unwanted([]);
                    return Ok(());
                }
                position += 1;
            }
            if self.has_turned {
                self.cancel_unwanted(&window);
            }
            while !is_exhausted && (window.is_empty() || self.has_room() && !self.is_enough(&window, until)) {
                if !window.is_empty() {
                    self.look_beyond(self.need_for_next(until, &window))?;
                    if !self.has_room() {
                        break;
                    }
                }
                match candidates.next() {
                    None => is_exhausted = true,
                    Some(keep) => {
                        let pending = self.pending(keep);
                        self.start(&pending)?;
                        window.push_back(pending);
                    }
                }
            }
            let Some(front) = window.front() else {
                self.cancel_unwanted([]);
                return Ok(());
            };
            let later: Vec<Key> = window.iter().skip(1).filter_map(Pending::key).collect();
            self.await_answer(front, &later)?;
        }
    }

    /// The probability that the answer about the next candidate of a call will be needed.
    fn need_for_next(&self, until: Until, window: &VecDeque<Pending>) -> f64 {
        let unknown = || window.iter().filter(|pending| self.answer(pending).is_none());
        match until {
            Until::Exhausted => 1.0,
            Until::Found => unknown().map(|pending| 1.0 - self.beliefs.chance_of(&pending.keep)).product(),
        }
    }

    fn bisect_ahead(
        &mut self,
        mut low: usize,
        mut high: usize,
        candidate: &(dyn Fn(usize) -> VarSet + Sync),
    ) -> Result<usize, Stop> {
        let mut questions: BTreeMap<usize, Pending> = BTreeMap::new();
        while let Some(middle) = midpoint(low, high) {
            for index in self.next_questions(low, high, &questions) {
                if !questions.contains_key(&index) && (self.has_room() || index == middle) {
                    let pending = self.pending(candidate(index));
                    self.start(&pending)?;
                    questions.insert(index, pending);
                }
            }
            let next = &questions[&middle];
            if self.answer(next).is_none() {
                let later: Vec<Key> = questions.values().filter_map(Pending::key).collect();
                self.await_answer(next, &later)?;
                continue;
            }
            match self.settle(next)? {
                true => high = middle,
                false => low = middle,
            }
            let mut useless = questions.split_off(&high);
            let rest = questions.split_off(&(low + 1));
            useless.append(&mut std::mem::replace(&mut questions, rest));
            if !useless.is_empty() || self.has_turned {
                self.cancel_unwanted(questions.values());
            }
        }
        Ok(high)
    }

    /// The next questions of a bisection, nearest first, as many as can be tested at once. The
    /// branch after an uninteresting answer comes first, because most prefixes lack something.
    fn next_questions(&self, low: usize, high: usize, known: &BTreeMap<usize, Pending>) -> Vec<usize> {
        let mut open = VecDeque::from([(low, high)]);
        let mut questions = Vec::new();
        while let Some((low, high)) = open.pop_front()
            && questions.len() < self.jobs()
        {
            let Some(middle) = midpoint(low, high) else { continue };
            match known.get(&middle).and_then(|pending| self.answer(pending)) {
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
        self.oracle.session.limits.jobs
    }

    fn pending(&self, keep: VarSet) -> Pending {
        Pending { print: print_of(&keep), prepared: self.oracle.prepare(&keep), keep }
    }

    /// The known answer about a candidate. One that cannot be rendered is not interesting.
    fn answer(&self, pending: &Pending) -> Option<bool> {
        pending.prepared.as_ref().map_or(Some(false), |prepared| self.oracle.session.known(&prepared.key))
    }

    /// Whether another test may start, within the jobs and the budget.
    fn has_room(&self) -> bool {
        (self.flight.len() as u64) < (self.jobs() as u64).min(self.oracle.session.allowance().max(1))
    }

    /// Whether candidates after those in the window cannot matter, or exceed the budget.
    fn is_enough(&self, window: &VecDeque<Pending>, until: Until) -> bool {
        let found = || window.iter().any(|pending| self.answer(pending) == Some(true));
        until == Until::Found && found() || window.len() as u64 >= self.oracle.session.allowance().max(1)
    }

    /// Starts the test of a candidate, if it needs one.
    fn start(&mut self, pending: &Pending) -> Result<(), Stop> {
        let session = &*self.oracle.session;
        if session.is_halted() {
            return Err(session.why_halted());
        }
        let Some(prepared) = &pending.prepared else { return Ok(()) };
        if session.known(&prepared.key).is_some() {
            return Ok(());
        }
        let prints = self.prints.entry(prepared.key).or_default();
        if !prints.contains(&pending.print) {
            prints.push(pending.print);
        }
        if !self.flight.has(&prepared.key) && self.has_room() {
            self.oracle.begin_test(prepared, &pending.keep)?;
            self.flight.start(prepared);
        }
        Ok(())
    }

    /// Takes a step towards the answer about a candidate: has its test run, uses what room there is,
    /// and waits for a message. `later` are candidates of the same call that come after it.
    fn await_answer(&mut self, front: &Pending, later: &[Key]) -> Result<(), Stop> {
        self.start(front)?;
        if front.key().is_some_and(|key| !self.flight.has(&key)) {
            self.make_room(later);
        }
        self.look_beyond(0.0)?;
        // Meanwhile it may have got its answer, or its cancelled test may have ended without one.
        let is_running = front.key().is_some_and(|key| self.flight.has(&key));
        match self.answer(front).is_none() && (is_running || !self.has_room()) {
            true => self.wait(),
            false => Ok(()),
        }
    }

    /// Cancels the test whose answer is least likely to be needed. Those of the same call come last,
    /// the later ones first.
    fn make_room(&mut self, later: &[Key]) {
        let need = |key: &Key| match (later.iter().rev().position(|other| other == key), &self.foresight) {
            (Some(from_end), _) => 1.0 + from_end as f64,
            (None, Some(foresight)) => self.prints_of(key).map(|print| foresight.need_for(print)).fold(0.0, f64::max),
            (None, None) => 0.0,
        };
        let least = self.flight.candidates().map(|key| (need(&key), key)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, least)) = least {
            self.flight.cancel_all_but(|key| *key != least);
        }
    }

    fn prints_of(&self, key: &Key) -> impl Iterator<Item = Print> {
        self.prints.get(key).into_iter().flatten().copied()
    }

    /// Tests what the strategy will probably ask after this call, as long as there is room and the
    /// answers are at least this likely to be needed.
    fn look_beyond(&mut self, at_least: f64) -> Result<(), Stop> {
        while self.has_room() {
            let Some(foresight) = &mut self.foresight else { return Ok(()) };
            match foresight.step(at_least) {
                Some(Step::Test(keep)) => {
                    let pending = self.pending(keep);
                    match self.answer(&pending) {
                        Some(answer) => self.tell(pending.print, answer),
                        None => self.start(&pending)?,
                    }
                }
                Some(Step::Move) => {}
                // A ghost that runs may find something better than the call has.
                None => return Ok(()),
            }
            self.hear_all()?;
        }
        Ok(())
    }

    /// Returns the answer for the strategy, and learns from it.
    fn settle(&mut self, pending: &Pending) -> Result<bool, Stop> {
        let interesting = match &pending.prepared {
            Some(prepared) => self.oracle.settle(prepared, &pending.keep)?,
            None => false,
        };
        self.beliefs.note(&pending.keep, interesting);
        self.tell(pending.print, interesting);
        Ok(interesting)
    }

    /// Tells the ghosts an answer.
    fn tell(&mut self, print: Print, answer: bool) {
        if let Some(foresight) = &mut self.foresight {
            self.has_turned |= foresight.learn(print, answer);
        }
    }

    /// Cancels the tests that neither the call nor a ghost needs.
    fn cancel_unwanted<'p>(&mut self, wanted: impl IntoIterator<Item = &'p Pending>) {
        self.has_turned = false;
        let wanted: Vec<Key> = wanted.into_iter().filter_map(Pending::key).collect();
        let (foresight, prints) = (&self.foresight, &self.prints);
        let is_foreseen = |key: &Key| {
            let mut prints = prints.get(key).into_iter().flatten();
            foresight.as_ref().is_some_and(|foresight| prints.any(|print| foresight.wants(*print)))
        };
        self.flight.cancel_all_but(|key| wanted.contains(key) || is_foreseen(key));
    }

    /// Waits for a message, and takes note of all that have come.
    fn wait(&mut self) -> Result<(), Stop> {
        let news = &self.news;
        let first = self.oracle.session.wait_for(|| news.recv().expect("this side holds a sender"));
        self.hear(first)?;
        self.hear_all()
    }

    fn hear_all(&mut self) -> Result<(), Stop> {
        while let Ok(news) = self.news.try_recv() {
            self.hear(news)?;
        }
        Ok(())
    }

    fn hear(&mut self, news: News) -> Result<(), Stop> {
        match (news, &mut self.foresight) {
            (News::Landed(landing), _) => {
                let Some(key) = self.flight.landed(&landing) else { return Ok(()) };
                self.oracle.session.learn(key, landing.answer)?;
                let answer = self.oracle.session.known(&key).expect("it was learned");
                self.prints.remove(&key).into_iter().flatten().for_each(|print| self.tell(print, answer));
            }
            (News::Asked(asked), Some(foresight)) => foresight.asked(asked),
            (News::Vanished(ghost), Some(foresight)) => foresight.vanished(ghost),
            (News::Asked(_) | News::Vanished(_), None) => {}
        }
        Ok(())
    }

    /// Ends all tests, and puts the answers of those that had one into the cache. The threads of
    /// the others are waited for in any case.
    fn end(mut self) -> Result<(), Stop> {
        self.foresight = None;
        self.hear_all()?;
        self.cancel_unwanted([]);
        while self.flight.len() > 0 {
            self.wait()?;
        }
        Ok(())
    }
}

impl Pending {
    fn key(&self) -> Option<Key> {
        self.prepared.as_ref().map(|prepared| prepared.key)
    }
}

impl<'a: 'env, 'env> Oracle for Speculation<'_, '_, 'a, '_, 'env> {
    fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
        let mut answered = false;
        let mut once = std::iter::once(keep.clone());
        self.in_order(&mut once, Until::Exhausted, &mut |_, _, interesting| answered = interesting)?;
        Ok(answered)
    }

    fn first(&mut self, candidates: &mut dyn Iterator<Item = VarSet>) -> Result<Option<(usize, VarSet)>, Stop> {
        let mut found = None;
        self.in_order(candidates, Until::Found, &mut |position, keep, interesting| {
            if interesting {
                found = Some((position, keep));
            }
        })?;
        Ok(found)
    }

    fn each(&mut self, candidates: &[VarSet]) -> Result<Vec<bool>, Stop> {
        let mut answers = Vec::with_capacity(candidates.len());
        let mut candidates = candidates.iter().cloned();
        let mut push = |_, _, interesting| answers.push(interesting);
        self.in_order(&mut candidates, Until::Exhausted, &mut push)?;
        Ok(answers)
    }

    fn bisect(&mut self, low: usize, high: usize, candidate: &(dyn Fn(usize) -> VarSet + Sync)) -> Result<usize, Stop> {
        self.bisect_ahead(low, high, candidate)
    }
}
