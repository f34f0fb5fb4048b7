//! The comparison: every path of the old version, and on its inputs every path of the new one.
//!
//! Old and new paths take turns, so that endless paths of one version do not block the other. Two
//! paths are compared while the second is still running, and again when it has ended.

use crate::budget::ComparisonBudget;
use crate::carried::note_carried;
use crate::matching::{Difference, End, Where, difference, plain_text};
use crate::spec::Spec;
use crate::trace;
use crate::verdict::{Candidate, ComparisonResult, Confirmed};
use crate::versions::{Side, VersionPair};
use crate::watch::{Noted, Pinned, gave_later_than_following, pinned, state_for, was_given_more_than};
use lapidary_classfile::Text;
use lapidary_symbolic::search::{self, Search};
use lapidary_symbolic::{Alarm, Ending, Machine, MathFunctions, PathEnd, Restriction, State};
use lapidary_terms::{Answer, Assignment};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How many instructions a state runs before another one gets its turn.
const TURN: u64 = 200_000;

/// The largest number of candidates to confirm. If so many predictions fail on the real JVM, the
/// machine does not understand these programs well enough.
const CANDIDATES: usize = 20;

/// How many candidates at one place may fail to be confirmed before no more are tried there.
const SAME_PLACE: usize = 4;

/// Compares two versions. Each candidate for a difference is passed to `confirm`; the first
/// confirmed one ends the comparison.
pub fn compare(
    versions: &mut VersionPair,
    spec: &Spec,
    search: &mut dyn Search,
    budget: &ComparisonBudget,
    confirm: &mut dyn FnMut(&Candidate) -> Confirmed,
) -> ComparisonResult {
    if budget.techniques.induction
        && let Some(comparison) = by_induction(versions, spec, budget, confirm)
    {
        return comparison;
    }
    compare_from(versions, spec, State::new(), search, budget, confirm)
}

/// Tries to match loops iteration by iteration. Returns `None` if that is impossible; then the
/// loops have to be run.
fn by_induction(
    versions: &mut VersionPair,
    spec: &Spec,
    budget: &ComparisonBudget,
    confirm: &mut dyn FnMut(&Candidate) -> Confirmed,
) -> Option<ComparisonResult> {
    versions.match_loops(true);
    let mut search = search::named("depth", 0).expect("a search that there is");
    let short = ComparisonBudget { time: budget.time / 4, ..budget.clone() };
    let comparison = compare_from(versions, spec, State::new(), &mut *search, &short, confirm);
    versions.match_loops(false);
    let is_over = comparison.difference.is_some() || comparison.stopped.is_none();
    let left_nothing_out = comparison.undecided == 0 && comparison.unsupported.is_empty();
    (is_over && (left_nothing_out || comparison.difference.is_some())).then_some(comparison)
}

/// Compares two versions on a single input.
pub fn compare_on(
    versions: &mut VersionPair,
    spec: &Spec,
    input: &Pinned,
    budget: &ComparisonBudget,
    confirm: &mut dyn FnMut(&Candidate) -> Confirmed,
) -> ComparisonResult {
    let state = state_for(versions.take(Side::Old), input);
    let mut search = search::named("depth", 0).expect("a search that there is");
    compare_from(versions, spec, state, &mut *search, budget, confirm)
}

fn compare_from(
    versions: &mut VersionPair,
    spec: &Spec,
    state: State,
    search: &mut dyn Search,
    budget: &ComparisonBudget,
    confirm: &mut dyn FnMut(&Candidate) -> Confirmed,
) -> ComparisonResult {
    let begin = Instant::now();
    versions.share_prefix(budget.techniques.sharing);
    let _alarm = Alarm::after(budget.time, versions.take(Side::Old).curfew.clone());
    let mut run = Run {
        versions,
        spec,
        budget,
        begin,
        outside: Duration::ZERO,
        comparison: ComparisonResult::new(),
        confirm,
        jobs: VecDeque::new(),
        refused: HashMap::new(),
    };
    run.everything(state, search);
    let mut comparison = run.comparison;
    for side in [Side::Old, Side::New] {
        let engine = versions.engine(side);
        comparison.undecided += engine.undecided;
        comparison.restrictions.extend(engine.restrictions.iter().cloned());
        comparison.instructions += engine.counts.instructions;
        comparison.surroundings.extend(engine.surroundings.iter().cloned());
    }
    comparison.restrictions.append(&mut versions.restrictions);
    if versions.has_other_locks() {
        comparison.restrictions.insert(Restriction::Locks);
    }
    if !versions.give_alike() {
        comparison.restrictions.insert(Restriction::OfBothVersions);
    }
    comparison.queries = versions.queries();
    comparison.elapsed = begin.elapsed();
    comparison.verdict = comparison.judged();
    comparison
}

/// A path that follows one of the other version.
struct Job {
    side: Side,
    state: State,
    follows: Rc<End>,
    /// How much of its trace has been compared.
    compared: usize,
}

struct Run<'a> {
    versions: &'a mut VersionPair,
    spec: &'a Spec,
    budget: &'a ComparisonBudget,
    begin: Instant,
    /// The time spent in confirming candidates.
    outside: Duration,
    comparison: ComparisonResult,
    confirm: &'a mut dyn FnMut(&Candidate) -> Confirmed,
    jobs: VecDeque<Job>,
    /// How often candidates were not confirmed, by the place where they differ.
    refused: HashMap<String, usize>,
}

impl Run<'_> {
    fn everything(&mut self, state: State, search: &mut dyn Search) {
        let first = self.versions.started(Side::Old, state);
        search.add(first);
        while !self.is_over(search) {
            if self.jobs.len() < search.len() || self.jobs.is_empty() {
                let Some(state) = search.next(&self.versions.engine(Side::Old).coverage) else { return };
                self.old_turn(state, search);
            }
            if let Some(job) = self.jobs.pop_front() {
                self.job_turn(job);
            }
            self.comparison.most_waiting = self.comparison.most_waiting.max(search.len() + self.jobs.len());
        }
    }

    fn is_over(&mut self, search: &mut dyn Search) -> bool {
        let waiting = search.len() + self.jobs.len();
        if self.comparison.difference.is_some() || self.comparison.stopped.is_some() || waiting == 0 {
            return true;
        }
        let limits = [
            (self.interruption(), self.is_interrupted()),
            ("the time", self.begin.elapsed().saturating_sub(self.outside) >= self.budget.time),
            ("the number of paths", self.comparison.old_paths >= self.budget.paths),
            ("the number of waiting paths", waiting > self.budget.states),
            ("the memory", lapidary_symbolic::resident_memory().is_some_and(|bytes| bytes > self.budget.memory)),
            (
                "the number of differences that were not confirmed",
                self.comparison.unconfirmed.len() + self.comparison.dropped >= CANDIDATES,
            ),
        ];
        self.comparison.stopped = limits.iter().find(|(_, is_reached)| *is_reached).map(|(limit, _)| *limit);
        self.comparison.stopped.is_some()
    }

    /// The cause of an interruption: the time limit or the user.
    fn interruption(&self) -> &'static str {
        if self.begin.elapsed() < self.budget.time { "Ctrl-C" } else { "the time" }
    }

    fn is_interrupted(&self) -> bool {
        self.versions.engine(Side::Old).curfew.is_in_force()
    }

    fn old_turn(&mut self, state: State, search: &mut dyn Search) {
        for (state, ended) in self.advance(Side::Old, state) {
            if let Some(end) = self.end_of(Side::Old, state, ended, &mut |state| search.add(state)) {
                self.comparison.is_inductive |= end.state.loop_symbols() > 0;
                self.comparison.old_paths += 1;
                self.follow(Side::New, &Rc::new(end));
            }
        }
    }

    /// Makes the other version follow a path on the same inputs. Common code is not run again.
    fn follow(&mut self, side: Side, end: &Rc<End>) {
        note_carried(self.versions, if side == Side::New { Side::Old } else { Side::New }, end);
        if side == Side::New && self.versions.is_common(&end.state) {
            self.comparison.common += 1;
            self.comparison.pairs += 1;
            self.comparison.identical += 1;
            return;
        }
        let taken_over = if side == Side::New { self.versions.take_over(&end.state) } else { None };
        let state = match taken_over {
            Some(state) => {
                self.comparison.taken_over += 1;
                state
            }
            None => self.versions.following(side, &end.state),
        };
        self.jobs.push_front(Job { side, state, follows: end.clone(), compared: 0 });
    }

    fn job_turn(&mut self, job: Job) {
        let Job { side, state, follows, compared } = job;
        for (state, ended) in self.advance(side, state) {
            let mut back = None;
            if let Some(end) = self.end_of(side, state, ended, &mut |state| back = Some(state)) {
                self.has_ended(side, &follows, End { rounds: follows.rounds + 1, ..end });
            }
            if self.comparison.difference.is_some() {
                return;
            }
            let Some(state) = back else { continue };
            let mut job = Job { side, state, follows: follows.clone(), compared };
            // A path that has diverged runs to its end at once. Of the others, long ones let
            // shorter ones go first.
            let has_parted = self.has_parted(&job);
            job.compared = job.state.count_of_events();
            if has_parted || job.state.instructions < TURN {
                self.jobs.push_front(job);
            } else {
                self.jobs.push_back(job);
            }
        }
    }

    fn has_ended(&mut self, side: Side, follows: &Rc<End>, end: End) {
        match side {
            Side::New if was_given_more_than(&end.state, &follows.state) && follows.rounds == 0 => {
                // The new version read fields that the old one did not, so the old one runs again
                // with these fields given.
                self.follow(Side::Old, &Rc::new(end));
            }
            Side::New => self.pair(follows, &Rc::new(end)),
            Side::Old => self.pair(&Rc::new(end), follows),
        }
    }

    /// Runs a version again that made fields of its inputs while running, if that may be the reason
    /// for an apparent difference: events traced before such a field existed cannot be compared
    /// with later ones. Returns whether it did.
    fn levels(&mut self, old: &Rc<End>, new: &Rc<End>) -> bool {
        if gave_later_than_following(&old.state, &new.state) {
            self.follow(Side::Old, new);
        } else if gave_later_than_following(&new.state, &old.state) {
            self.follow(Side::New, old);
        } else {
            return false;
        }
        true
    }

    /// Whether the trace of a path so far already differs for all inputs.
    fn has_parted(&mut self, job: &Job) -> bool {
        if job.side == Side::Old || job.state.count_of_events() <= job.compared || job.state.has_open_crossings() {
            return false;
        }
        let so_far = End { state: job.state.clone(), ending: None, rounds: 0 };
        matches!(
            difference(self.versions, self.spec, self.budget.techniques, &job.follows, &so_far),
            Difference::Always(_)
        )
    }

    fn pair(&mut self, old: &Rc<End>, new: &Rc<End>) {
        let found = difference(self.versions, self.spec, self.budget.techniques, old, new);
        if found != Difference::Never && self.levels(old, new) {
            return;
        }
        self.comparison.pairs += 1;
        match found {
            Difference::Never => self.comparison.identical += 1,
            Difference::Always(at) => self.put(old, new, at, new.state.path.witness.clone()),
            Difference::If(conditions) => {
                let terms = self.versions.terms();
                let any = conditions.iter().fold(terms.bool(false), |any, (term, _)| terms.or_bool(any, *term));
                let Some(witness) = self.input_for(new, any) else { return };
                let terms = self.versions.terms();
                let holds = |term| terms.evaluate_with(term, &witness, &MathFunctions).is_true();
                let at = conditions.iter().find(|(term, _)| holds(*term)).map_or(Where::Result, |(_, at)| at.clone());
                self.put(old, new, at, witness);
            }
        }
    }

    fn put(&mut self, old: &End, new: &End, at: Where, witness: Assignment) {
        let is_inductive = old.state.loop_symbols() > 0 || new.state.loop_symbols() > 0;
        if is_inductive {
            // The symbols of loops can have values that the program never reaches.
            self.comparison.stopped = Some("loops that cannot be matched");
            return;
        }
        let place = format!("{at:?}");
        let refused = self.refused.get(&place).copied().unwrap_or(0);
        if refused >= SAME_PLACE {
            return;
        }
        let ends = [self.ended(Side::Old, old, &witness), self.ended(Side::New, new, &witness)];
        let goes_through_hashes = |side| self.versions.engine(side).goes_through_hashes;
        let is_hash_order = [Side::Old, Side::New].into_iter().any(goes_through_hashes) && is_reordered(&ends, &at);
        let [old_end, new_end] = ends;
        let candidate = Candidate {
            input: pinned(self.versions.take(Side::New), &new.state, &witness),
            old: old_end,
            new: new_end,
            at,
            is_hash_order,
            old_trace: trace::steps(self.versions.take(Side::Old), &old.state, &witness),
            new_trace: trace::steps(self.versions.take(Side::New), &new.state, &witness),
        };
        let begin = Instant::now();
        match (self.confirm)(&candidate) {
            Confirmed::Yes => self.comparison.difference = Some(candidate),
            Confirmed::No(why) => {
                self.comparison.unconfirmed.push(why);
                *self.refused.entry(place).or_default() += 1;
            }
            Confirmed::Spurious => {
                self.comparison.dropped += 1;
                *self.refused.entry(place).or_default() += 1;
            }
        }
        self.outside += begin.elapsed();
    }

    fn input_for(&mut self, new: &End, condition: lapidary_terms::Term) -> Option<Assignment> {
        let mut conditions: Vec<_> = new.state.path.conditions.to_vec().into_iter().copied().collect();
        conditions.push(condition);
        let Machine { solver, terms, .. } = self.versions.take(Side::New);
        match solver.solve(terms, &conditions) {
            Answer::Satisfiable(witness) => Some(witness),
            Answer::Unsatisfiable => None,
            Answer::Unknown(_) if self.is_interrupted() => {
                // An unanswered query leaves the pair open.
                self.comparison.stopped = Some(self.interruption());
                None
            }
            Answer::Unknown(_) => {
                self.comparison.undecided += 1;
                None
            }
        }
    }

    fn ended(&mut self, side: Side, end: &End, witness: &Assignment) -> PathEnd {
        let mut state = end.state.clone();
        state.path.witness = witness.clone();
        let ending = end.ending.clone().unwrap_or_else(|| Ending::unsupported("to go on".into()));
        self.versions.take(side).ended(&state, ending)
    }

    fn advance(&mut self, side: Side, state: State) -> Vec<(State, Option<Ending>)> {
        self.versions.take(side).advance(state, TURN)
    }

    /// The path if it has ended or reached a limit. One that can go on is put back.
    fn end_of(
        &mut self,
        side: Side,
        state: State,
        ended: Option<Ending>,
        put_back: &mut dyn FnMut(State),
    ) -> Option<End> {
        match ended {
            None if state.instructions >= self.budget.instructions => {
                self.give_up("a path that does not end".into());
                Some(End { state, ending: None, rounds: 0 })
            }
            None => {
                put_back(state);
                None
            }
            Some(Ending::Infeasible) => None,
            Some(Ending::Unsupported(what)) => {
                self.give_up(what);
                Some(End { state, ending: None, rounds: 0 })
            }
            Some(ending) => {
                let missing = self.missing_class(side, &state, &ending);
                let ending = missing.is_none().then_some(ending);
                missing
                    .into_iter()
                    .for_each(|class| self.give_up(format!("class {class} is missing; see --classpath")));
                Some(End { state, ending, rounds: 0 })
            }
        }
    }

    /// The class that neither version has, if a path ends because of it.
    fn missing_class(&mut self, side: Side, state: &State, ending: &Ending) -> Option<String> {
        let Ending::Threw(exception) = ending else { return None };
        let machine = self.versions.take(side);
        if machine.name_of(state, *exception) != "java.lang.NoClassDefFoundError" {
            return None;
        }
        let units = machine.message_of(state, *exception)?;
        let name = plain_text(&units)?;
        let internal = Text::from(name.replace('.', "/").as_str());
        let sides = [Side::Old, Side::New];
        let has_it = |side: &Side| self.versions.engine(*side).world.hierarchy.class_path().class(&internal).is_some();
        (!name.contains(' ') && !sides.iter().any(has_it)).then(|| name.replace('/', "."))
    }

    fn give_up(&mut self, what: String) {
        *self.comparison.unsupported.entry(what).or_default() += 1;
    }
}

/// Whether two paths return or print the same words in another order.
fn is_reordered([old, new]: &[PathEnd; 2], at: &Where) -> bool {
    let said = |path: &PathEnd| match at {
        Where::Output => format!("{} {}", path.stdout, path.stderr),
        _ => format!("{:?}", path.outcome),
    };
    let (old, new) = (said(old), said(new));
    !matches!(at, Where::Event(_) | Where::Ending) && old != new && sorted_words(&old) == sorted_words(&new)
}

fn sorted_words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split(|character: char| !character.is_alphanumeric()).collect();
    words.sort_unstable();
    words
}
