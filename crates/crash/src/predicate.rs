//! Decides whether a candidate still fails in the same way at the same place.

use crate::build::Build;
use crate::error::CrashError;
use crate::execution::{Execution, Fill};
use crate::failure::Failure;
use crate::headers::Headers;
use crate::observer::{FailureObserver, Observed, Outcome};
use crate::presence::Presence;
use crate::projection::Projection;
use crate::reproduction::{Reproduction, reproduce};
use crate::sameness::{Closeness, LineMap, Sameness};
use crate::second_opinion::{Asked, SecondOpinion};
use crate::symbols::Functions;
use crate::toolchain::Exactness;
use crate::varying::Varying;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Judges candidates by compiling and running them.
#[derive(Clone)]
pub struct CrashPredicate {
    observer: Arc<FailureObserver>,
    sameness: Sameness,
    presence: Presence,
    /// The number of runs without a failure after which a candidate is said not to fail.
    attempts: u32,
    /// The memory contents with which the original fails. A candidate must fail with each of them.
    fills: Vec<Fill>,
    headers: Arc<Headers>,
    /// The most permissive way to compile candidates.
    exactness: Exactness,
    /// Whether each candidate that counts is compiled with its own headers only, and checked by the
    /// sanitizer.
    trusts_nothing: bool,
    /// The reason for the failure, if it must be preserved.
    projection: Option<Arc<Projection>>,
    /// The sanitizer's opinion about memory, if it must be preserved.
    second_opinion: Option<Arc<SecondOpinion>>,
    /// Expressions that had several values, filled in once the search knows them.
    varying: Arc<Varying>,
    /// The program to which candidates are compared, if it was run.
    original: Option<FileTree>,
    /// The number of candidates that died of SIGKILL while the original still worked.
    own_kills: Arc<AtomicU32>,
}

/// An observed failure, before it is known what candidates must have in common with it.
pub struct Discovery {
    predicate: CrashPredicate,
    pub reproduction: Reproduction,
    /// The pending question to the sanitizer.
    asked: Option<Asked>,
}

impl Discovery {
    pub fn failure(&self) -> &Failure {
        self.predicate.failure()
    }

    /// Checks that the failure is on this line, like [`CrashPredicate::expect_place`].
    pub fn expect_place(&self, file: &std::path::Path, line: u32) -> Result<(), CrashError> {
        self.predicate.expect_place(file, line)
    }

    /// Returns the predicate for candidates with the same error.
    pub fn same_error(self) -> CrashPredicate {
        self.predicate
    }

    /// Returns the predicate for candidates that preserve the reason for the failure: the failing
    /// run is a projection of the original's, and a sanitizer finds the same memory error.
    pub fn same_reason(
        mut self,
        mut projection: Projection,
        original: &FileTree,
        cancel: &Cancel,
    ) -> Result<CrashPredicate, CrashError> {
        let is_wanted = self.asked.is_some();
        self.record(&mut projection, original, cancel)?;
        let mut predicate = self.predicate;
        let answer = self.asked.map(Asked::answer).transpose()?;
        predicate.second_opinion = answer.flatten().map(Arc::new);
        if predicate.second_opinion.is_none() && is_wanted {
            projection.note("AddressSanitizer is not there or sees another failure, so it is not asked");
        }
        predicate.projection = Some(Arc::new(projection));
        Ok(predicate)
    }

    /// Runs the original once more for each way in which candidates are run, and records these
    /// runs.
    fn record(&mut self, projection: &mut Projection, original: &FileTree, cancel: &Cancel) -> Result<(), CrashError> {
        let CrashPredicate { observer, sameness, fills, .. } = &mut self.predicate;
        let observer = Arc::get_mut(observer).expect("the search has not begun");
        if let Some(why) = why_not_followed(observer, &self.reproduction) {
            projection.give_up_runs(why);
            return Ok(());
        }
        for fill in fills.iter() {
            let observed = observer.observe_original(original, Exactness::Exact, *fill, cancel)?;
            let is_same =
                matches!(&observed.outcome, Outcome::Failed(failure) if sameness.difference(failure).is_none());
            match observed.run.filter(|_| is_same) {
                Some(run) => projection.record(&run),
                None => {
                    projection.give_up_runs(
                        "it does not fail while its steps are being recorded, so only how it ends is compared",
                    );
                    break;
                }
            }
            if observed.has_threads {
                projection.give_up_course("it has threads, so the order of statements is not compared");
            }
            observer.learn(&observed.timings);
        }
        if !projection.compares_runs() {
            observer.follow_steps(false);
        }
        Ok(())
    }
}

/// Returns why runs cannot be compared, if they cannot.
fn why_not_followed(observer: &FailureObserver, reproduction: &Reproduction) -> Option<&'static str> {
    if reproduction.attempts() > 1 {
        Some("it does not always fail, so the order of statements and the values are not compared")
    } else if observer.is_optimised() {
        Some("the code is optimised, so the order of statements and the values are not compared")
    } else if !cfg!(target_arch = "x86_64") {
        Some("the order of statements and the values are compared on x86-64 only")
    } else {
        None
    }
}

impl CrashPredicate {
    /// Compiles the original, runs it several times, and chooses the most frequent failure as the
    /// one to preserve.
    ///
    /// If the failure does not depend on uninitialised memory, candidates are run with such memory
    /// filled. This rules out candidates that fail only because the code that set a variable is
    /// gone.
    pub fn discover(
        build: Build,
        execution: Execution,
        original: &FileTree,
        runs: u32,
        closeness: Closeness,
        cancel: &Cancel,
    ) -> Result<Discovery, CrashError> {
        let mut observer = FailureObserver::new(build, execution, original, cancel)?;
        let mut found = reproduce(&observer, original, runs, cancel);
        if matches!(found, Err(CrashError::DoesNotFail { .. })) && observer.link_plainly() {
            found = reproduce(&observer, original, runs, cancel);
        }
        let reproduction = found?;
        let failure = &reproduction.failures[0].0;
        if failure.place().is_none() {
            return Err(CrashError::NoPlace(failure.headline()));
        }
        let wants_reason = closeness == Closeness::Reason;
        let ask = || SecondOpinion::ask(&observer, failure, original, cancel);
        let asked = if wants_reason { ask() } else { None };
        let sameness = Sameness::new(failure.clone()).with_closeness(closeness);
        observer.follow_steps(wants_reason && why_not_followed(&observer, &reproduction).is_none());
        let mut fills = fills(&mut observer, &sameness, original, cancel)?;
        if fills == [Fill::Chance] && observer.follows_steps() {
            // Perhaps following the run makes the difference.
            observer.follow_steps(false);
            fills = self::fills(&mut observer, &sameness, original, cancel)?;
        }
        // A program that fails by chance seldom does so several times in a row.
        fills.truncate(if reproduction.is_steady() { fills.len() } else { 1 });
        let attempts = reproduction.attempts();
        let presence = Presence::of(sameness.original(), original);
        let (observer, headers) = (Arc::new(observer), Arc::default());
        let predicate = CrashPredicate {
            observer,
            sameness,
            presence,
            attempts,
            fills,
            headers,
            exactness: Exactness::Borrowing,
            trusts_nothing: false,
            projection: None,
            second_opinion: None,
            varying: Arc::default(),
            original: Some(original.clone()),
            own_kills: Arc::default(),
        };
        Ok(Discovery { predicate, reproduction, asked })
    }

    /// Creates a predicate that compares candidates with this failure.
    pub fn new(observer: Arc<FailureObserver>, failure: Failure) -> Self {
        let (sameness, presence) = (Sameness::new(failure), Presence::default());
        CrashPredicate {
            observer,
            sameness,
            presence,
            attempts: 1,
            fills: vec![Fill::Chance],
            headers: Arc::default(),
            exactness: Exactness::Borrowing,
            trusts_nothing: false,
            projection: None,
            second_opinion: None,
            varying: Arc::default(),
            original: None,
            own_kills: Arc::default(),
        }
    }

    /// Returns the expressions that had several values, to be filled in by the watched run of the
    /// original.
    pub fn varying(&self) -> Arc<Varying> {
        Arc::clone(&self.varying)
    }

    /// Returns the lines of the conditions that guard the failure, if they must be preserved.
    pub fn guards(&self) -> Vec<(PathBuf, u32)> {
        self.projection.as_ref().map_or_else(Vec::new, |projection| projection.guards())
    }

    /// Returns the lines that must stay unchanged.
    pub fn fixed(&self) -> Vec<(PathBuf, RangeInclusive<u32>)> {
        self.projection.as_ref().map_or_else(Vec::new, |projection| projection.fixed())
    }

    /// Returns, for people, which parts of the reason are not compared.
    pub fn limits(&self) -> &[&'static str] {
        self.projection.as_ref().map_or(&[], |projection| projection.limits())
    }

    /// Returns this predicate with each candidate compiled and run as its user would, without
    /// filled memory. A candidate that fails is run once more to compare its run.
    pub fn compiling_plainly(&self) -> Self {
        CrashPredicate { exactness: Exactness::Plain, ..self.clone() }
    }

    /// Returns this predicate for texts whose lines have moved.
    pub fn with_lines(&self, lines: LineMap) -> Self {
        CrashPredicate { sameness: self.sameness.with_lines(lines), ..self.clone() }
    }

    /// Returns whether a candidate may have been accepted that lacks a header, or in which a
    /// sanitizer would find something else.
    pub fn has_trusted(&self) -> bool {
        self.headers.have_been_trusted()
            || self.second_opinion.as_ref().is_some_and(|opinion| !opinion.is_about_memory())
    }

    /// Returns this predicate without any assumptions about headers or the sanitizer.
    pub fn trusting_nothing(&self) -> Self {
        CrashPredicate { trusts_nothing: true, ..self.clone() }
    }

    /// Returns the failure to preserve.
    pub fn failure(&self) -> &Failure {
        self.sameness.original()
    }

    pub fn observer(&self) -> &FailureObserver {
        &self.observer
    }

    /// Returns an error if the failure is not on this line.
    pub fn expect_place(&self, file: &std::path::Path, line: u32) -> Result<(), CrashError> {
        if self.sameness.is_place(file, line) {
            return Ok(());
        }
        let expected = format!("{}:{line}", file.display());
        Err(CrashError::WrongLocation { expected, actual: self.failure().headline() })
    }

    /// Judges a candidate, and returns the failure that was observed when it ran.
    pub fn judge_and_show(
        &self,
        candidate: &FileTree,
        cancel: &Cancel,
    ) -> Result<(Judgment, Option<Failure>), PredicateError> {
        /// A program that dies of SIGKILL this often, while the original works, does so by itself.
        const BY_DESIGN: u32 = 3;
        let start = Instant::now();
        if let Some(missing) = self.ruled_out(candidate) {
            return Ok((Judgment::new(Verdict::Uninteresting, missing), None));
        }
        let reason = match self.judge_by_runs(candidate, start, cancel) {
            Err(PredicateError::Disturbed(reason)) => reason,
            Ok((_, Some(failure))) if failure.is_kill() && self.own_kills.load(Ordering::Relaxed) < BY_DESIGN => {
                self.must_still_work("the program dies of SIGKILL", cancel)?;
                self.own_kills.fetch_add(1, Ordering::Relaxed);
                return Ok((unknown(failure.headline(), start), Some(failure)));
            }
            judged => return judged,
        };
        self.must_still_work(&reason, cancel)?;
        Ok((unknown(reason, start), None))
    }

    /// Returns an error if the original cannot be compiled and run any more. Then nothing can be
    /// learned about candidates.
    fn must_still_work(&self, reason: &str, cancel: &Cancel) -> Result<(), PredicateError> {
        let Some(original) = &self.original else { return Ok(()) };
        let opinion = self.second_opinion.as_ref();
        let works = self.observer.still_works(original, cancel)?
            && opinion.map_or(Ok(true), |opinion| opinion.still_works(original, cancel))?;
        let lasting =
            || PredicateError::Disturbed(format!("{reason}; not even the original can be compiled and run now"));
        if works { Ok(()) } else { Err(lasting()) }
    }

    fn judge_by_runs(
        &self,
        candidate: &FileTree,
        start: Instant,
        cancel: &Cancel,
    ) -> Result<(Judgment, Option<Failure>), PredicateError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let (observed, mut verdict, mut reason) = self.attempt(candidate, cancel)?;
            let is_asked = |opinion: &&Arc<SecondOpinion>| {
                self.trusts_nothing || opinion.is_about_memory() || self.exactness == Exactness::Plain
            };
            let sanitizer = self.second_opinion.as_ref().filter(is_asked);
            if let Some(opinion) = sanitizer.filter(|_| verdict == Verdict::Interesting)
                && let Some(difference) = opinion.difference(candidate, self.sameness.lines(), cancel)?
            {
                (verdict, reason) = (Verdict::Uninteresting, difference);
            }
            if verdict == Verdict::Interesting {
                self.observer.learn(&observed.timings);
                self.headers.remember_failing(candidate);
            }
            let settled = verdict == Verdict::Interesting || matches!(observed.outcome, Outcome::Rejected(_));
            if settled || attempt >= self.attempts {
                let timed_out = matches!(observed.outcome, Outcome::TimedOut(_));
                let failure = if let Outcome::Failed(failure) = observed.outcome { Some(failure) } else { None };
                let judgment = Judgment { timed_out, elapsed: start.elapsed(), ..Judgment::new(verdict, reason) };
                return Ok((judgment, failure));
            }
        }
    }

    /// Returns why a candidate cannot fail like the original, if that is known without running it.
    fn ruled_out(&self, candidate: &FileTree) -> Option<String> {
        let lines = self.sameness.lines();
        let unguarded = || self.projection.as_ref()?.missing(candidate, lines);
        let complaint = || Some(format!("does not compile: {}", self.headers.complaint(candidate)?));
        self.presence.missing(candidate, lines).map(str::to_owned).or_else(unguarded).or_else(complaint)
    }

    /// Runs a candidate. If it fails like the original, runs it again in each other way in which
    /// the original fails.
    fn attempt(&self, candidate: &FileTree, cancel: &Cancel) -> Result<(Observed, Verdict, String), PredicateError> {
        let observe = |exactness, fill| -> Result<_, PredicateError> {
            let observed = self.observer.observe_as(candidate, exactness, fill, cancel)?;
            let (verdict, reason) = self.assess(&observed);
            let course = observed.run.as_ref().and_then(|run| run.course.as_ref());
            let fixed = course.filter(|_| verdict == Verdict::Interesting);
            let fixed = fixed.and_then(|course| self.varying.fixed_in(candidate, course, self.sameness.lines()));
            match fixed {
                Some(fixed) => Ok((observed, Verdict::Uninteresting, fixed)),
                None => Ok((observed, verdict, reason)),
            }
        };
        let exactly = self.exactness.min(Exactness::Exact);
        // If a program with the same code but other headers failed, the only question is whether
        // these headers suffice.
        let is_about_headers = self.headers.has_failed(candidate);
        let mut how = if is_about_headers { exactly } else { self.exactness };
        let fills = self.fills();
        let mut first = observe(how, fills[0])?;
        let is_trusted = || !self.trusts_nothing && self.headers.are_enough(candidate);
        if first.1 == Verdict::Interesting && !first.0.is_exact && !is_trusted() {
            how = exactly;
            first = observe(how, fills[0])?;
        }
        match &first.0.outcome {
            Outcome::Rejected(errors) if how < self.exactness => self.headers.learn(candidate, errors),
            Outcome::Failed(_) if first.0.is_exact => self.headers.remember_enough(candidate),
            _ => {}
        }
        if first.1 == Verdict::Interesting {
            for fill in self.confirmations(&first.0) {
                let (observed, verdict, reason) = observe(how, fill)?;
                if verdict != Verdict::Interesting {
                    return Ok((observed, Verdict::Uninteresting, format!("fails only sometimes like this: {reason}")));
                }
            }
            if let Some(departure) = self.unseen_departure(candidate, cancel)? {
                return Ok((first.0, Verdict::Uninteresting, departure));
            }
        }
        Ok(first)
    }

    /// Returns the memory contents with which candidates are run.
    fn fills(&self) -> &[Fill] {
        if self.exactness == Exactness::Plain { &[Fill::Chance] } else { &self.fills }
    }

    /// Returns how the run of a candidate departs from the original's, if the candidate was
    /// compiled plainly: such a program does not record its run. It is compiled once more, as the
    /// original was when its run was recorded.
    fn unseen_departure(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Option<String>, PredicateError> {
        let is_compared = self.projection.as_ref().is_some_and(|projection| projection.compares_runs());
        if self.exactness > Exactness::Plain || !is_compared {
            return Ok(None);
        }
        let observed = self.observer.observe_as(candidate, Exactness::Exact, self.fills[0], cancel)?;
        observed.outcome.must_not_be_killed()?;
        Ok(match &observed.outcome {
            Outcome::Failed(failure) => {
                self.difference(failure, &observed.functions).or_else(|| self.departure(&observed))
            }
            _ => Some("does not fail while its steps are being recorded".into()),
        })
    }

    /// Returns the further runs that a candidate must fail after its first failure. With threads, a
    /// failure may be chance. If the original always fails, a few failing runs are not enough,
    /// since one of hundreds of candidates will be lucky.
    fn confirmations(&self, observed: &Observed) -> impl Iterator<Item = Fill> {
        let is_steady = self.attempts == 1;
        let runs = match observed.has_threads && is_steady {
            true => runs_with_threads(observed.timings.run),
            false => self.fills().len(),
        };
        self.fills().iter().copied().cycle().take(runs).skip(1)
    }

    fn assess(&self, observed: &Observed) -> (Verdict, String) {
        match &observed.outcome {
            Outcome::Rejected(errors) => {
                let first = errors.lines().next().unwrap_or_default();
                (Verdict::Uninteresting, format!("{}: {first}", Judgment::INVALID))
            }
            Outcome::Passed(ending) => (Verdict::Uninteresting, format!("does not fail: {ending}")),
            Outcome::TimedOut(limit) => (Verdict::Unresolved, format!("timed out after {}", shown(*limit))),
            Outcome::Failed(failure) => {
                let difference = self.difference(failure, &observed.functions);
                let is_recorded = self.exactness > Exactness::Plain;
                match difference.or_else(|| if is_recorded { self.departure(observed) } else { None }) {
                    None => (Verdict::Interesting, failure.headline()),
                    Some(difference) => (Verdict::Uninteresting, difference),
                }
            }
        }
    }

    /// Returns how the run of a candidate departs from the original's.
    fn departure(&self, observed: &Observed) -> Option<String> {
        let projection = self.projection.as_ref()?;
        match &observed.run {
            Some(run) => projection.difference(run, self.sameness.lines()),
            None => projection.compares_runs().then(|| "its run could not be followed".into()),
        }
    }

    fn difference(&self, failure: &Failure, functions: &Functions) -> Option<String> {
        let bypassed = || self.sameness.bypassed(failure, |function| functions.contains(function));
        let bypass = || bypassed().map(|function| format!("fails by another way: {function} was not called"));
        self.sameness.difference(failure).or_else(bypass)
    }
}

impl Predicate for CrashPredicate {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        self.judge_and_show(candidate, cancel).map(|(judgment, _)| judgment)
    }
}

/// The judgment about a candidate of which nothing is known, because something kept killing it.
fn unknown(reason: String, start: Instant) -> Judgment {
    Judgment { disturbed: true, elapsed: start.elapsed(), ..Judgment::new(Verdict::Unresolved, reason) }
}

/// Returns how often a candidate with threads must fail in a row, given the duration of a run.
fn runs_with_threads(run: Duration) -> usize {
    const LONG_ENOUGH: Duration = Duration::from_millis(500);
    let fitting = LONG_ENOUGH.as_micros() / run.as_micros().max(1);
    usize::try_from(fitting).unwrap_or(usize::MAX).clamp(8, 32)
}

fn shown(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

/// Returns the memory contents with which the original still fails. The original is compiled like a
/// candidate. If that alone keeps it from failing, candidates are compiled in the ordinary way.
fn fills(
    observer: &mut FailureObserver,
    sameness: &Sameness,
    original: &FileTree,
    cancel: &Cancel,
) -> Result<Vec<Fill>, CrashError> {
    let fails = |observer: &FailureObserver, how, fill| -> Result<bool, CrashError> {
        let observed = observer.observe_original(original, how, fill, cancel)?;
        Ok(matches!(&observed.outcome, Outcome::Failed(failure) if sameness.difference(failure).is_none()))
    };
    let is_changed = |observer: &FailureObserver, fill| -> Result<bool, CrashError> {
        Ok(!fails(observer, Exactness::Exact, fill)? && fails(observer, Exactness::Plain, fill)?)
    };
    observer.share_instances(original, cancel)?;
    observer.fill_memory(true);
    if is_changed(observer, Fill::Negative)? {
        // The cause may be just the filled memory, which some compilers do not support and the
        // plain driver call does not request.
        observer.fill_memory(false);
        if is_changed(observer, Fill::Chance)? {
            observer.compile_plainly();
        }
        observer.fill_memory(true);
    }
    let mut found = Vec::new();
    for fill in [Fill::Negative, Fill::Positive, Fill::Zero] {
        found.extend(fails(observer, Exactness::Exact, fill)?.then_some(fill));
    }
    if found.is_empty() {
        observer.fill_memory(false);
        found.push(Fill::Chance);
        if is_changed(observer, Fill::Chance)? {
            observer.compile_plainly();
        }
    }
    Ok(found)
}
