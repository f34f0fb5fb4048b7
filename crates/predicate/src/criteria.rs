//! Decides whether a run is interesting, by expectations and by comparison with the original, and
//! how long a run may take.
//!
//! Shared by everything that runs tests, so that a verdict does not depend on how the test was run.

use crate::command::CommandError;
use crate::disturbance::Disturbance;
use crate::ending::Ending;
use crate::expect::{self, Aspect, Expectation, Preserve};
use crate::normalise::Normaliser;
use crate::process::Captured;
use lapidary_reduce::{Judgment, PredicateError, Verdict};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How often a test is run on one candidate if something else keeps ending it.
pub(crate) const TRIES: u32 = 3;

/// How long a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeout {
    /// A fixed limit.
    Fixed(Duration),
    /// Generous until interesting runs are known, then ten times the slowest of them plus half a
    /// second.
    Adaptive,
}

/// One run of a test: how it ended and what it printed.
#[derive(Clone, Debug)]
pub struct Observation {
    /// How the run ended.
    pub ending: Ending,
    /// The beginning of its standard output.
    pub stdout: Captured,
    /// The beginning of its standard error.
    pub stderr: Captured,
    /// How long it took.
    pub elapsed: Duration,
    /// The directory in which it ran. Normalising replaces this path in the output.
    pub directory: PathBuf,
    /// The test's directory for temporary files. Normalising replaces this path too.
    pub temporary: PathBuf,
    /// The verdict and reason of a test that judges candidates itself. No rules are applied then.
    pub settled: Option<(Verdict, String)>,
    /// How the run was disturbed, if neither the test nor its [`Runner`](crate::Runner) ended it.
    pub disturbance: Option<Disturbance>,
}

impl Observation {
    /// A run with this ending and no output.
    pub fn new(ending: Ending) -> Self {
        Observation {
            ending,
            stdout: Captured::default(),
            stderr: Captured::default(),
            elapsed: Duration::ZERO,
            directory: PathBuf::new(),
            temporary: PathBuf::new(),
            settled: None,
            disturbance: None,
        }
    }

    /// A run of a test that gave its own verdict.
    pub fn settled(verdict: Verdict, reason: impl Into<String>) -> Self {
        Observation { settled: Some((verdict, reason.into())), ..Observation::new(Ending::Exited(0)) }
    }
}

/// The rules that decide whether a run is interesting.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Conditions that must all hold. If there are none and nothing is preserved, the exit code
    /// must be 0.
    pub expectations: Vec<Expectation>,
    /// The aspects that must be the same as on the original; see [`Criteria::calibrate`].
    pub preserve: Preserve,
    /// The rules that normalise output before it is compared with that of the original.
    pub normalise: Normaliser,
    /// The time limit for one run.
    pub timeout: Timeout,
    /// The number of runs that decide about a candidate.
    pub agreement: Agreement,
}

/// How several runs of a flaky test decide about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// A candidate is interesting if all of this many runs are.
    All(u32),
    /// A candidate is interesting if one of this many runs is.
    Any(u32),
}

impl Agreement {
    /// Whether this many runs are enough, the last of which was interesting or not.
    fn is_settled_by(self, runs: u32, interesting: bool) -> bool {
        match self {
            Agreement::All(count) => !interesting || runs >= count,
            Agreement::Any(count) => interesting || runs >= count,
        }
    }
}

impl Default for Rules {
    /// Exit code 0 is interesting, and one run decides.
    fn default() -> Self {
        Rules {
            expectations: Vec::new(),
            preserve: Preserve::default(),
            normalise: Normaliser::default(),
            timeout: Timeout::Adaptive,
            agreement: Agreement::All(1),
        }
    }
}

/// The rules, and what was learned from runs on the original.
pub struct Criteria {
    rules: Rules,
    baseline: OnceLock<Baseline>,
    slowest: Mutex<Option<Duration>>,
    kills_by_design: KillsByDesign,
}

/// Recognises a test that dies of SIGKILL by design, as `timeout -k` does.
#[derive(Default)]
struct KillsByDesign {
    /// The number of candidates on which every attempt died, while the test worked on others.
    candidates: AtomicU32,
    /// Whether every run since the last of these candidates was disturbed. Then something ends all
    /// tests, whatever their candidate is.
    is_storm: AtomicBool,
}

impl KillsByDesign {
    /// Whether a run that was disturbed like this ended as the test means it to.
    fn include(&self, disturbance: Disturbance) -> bool {
        const ENOUGH: u32 = 3;
        disturbance == Disturbance::Killed && self.candidates.load(Ordering::Relaxed) >= ENOUGH
    }

    /// Notes a candidate of which every run was disturbed, the last one like this.
    fn note(&self, last: Option<Disturbance>) {
        let was_storm = self.is_storm.swap(true, Ordering::Relaxed);
        if last == Some(Disturbance::Killed) && !was_storm {
            self.candidates.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn note_undisturbed(&self) {
        self.is_storm.store(false, Ordering::Relaxed);
    }
}

/// A judgment, and whether the output was a superset of the original's.
pub struct Assessed {
    /// The verdict and its reason.
    pub judgment: Judgment,
    /// Whether the candidate was rejected only because it printed more than the original.
    pub superset: bool,
}

/// The preserved aspects of the original, normalised.
#[derive(Debug, PartialEq, Eq)]
struct Baseline {
    ending: Ending,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Criteria {
    /// Creates criteria without a baseline.
    pub fn new(rules: Rules) -> Self {
        Criteria {
            rules,
            baseline: OnceLock::new(),
            slowest: Mutex::new(None),
            kills_by_design: KillsByDesign::default(),
        }
    }

    /// Runs the test until its runs decide about the candidate.
    pub fn judge(
        &self,
        mut observe: impl FnMut() -> Result<Observation, PredicateError>,
    ) -> Result<Assessed, PredicateError> {
        let mut total = Duration::ZERO;
        let mut runs = 0;
        let mut disturbed: Option<Judgment> = None;
        loop {
            let (observation, mut judgment) = self.undisturbed(&mut observe)?;
            total += judgment.elapsed;
            runs += 1;
            disturbed = disturbed.or_else(|| judgment.disturbed.then(|| judgment.clone()));
            if judgment.is_interesting() && self.is_calibrated() {
                self.learn(&observation);
            }
            if self.rules.agreement.is_settled_by(runs, judgment.is_interesting()) {
                // A run that says nothing might have been the interesting one.
                judgment = disturbed.filter(|_| !judgment.is_interesting()).unwrap_or(judgment);
                judgment.elapsed = total;
                let superset = !judgment.is_interesting() && self.is_superset(&observation);
                return Ok(Assessed { judgment, superset });
            }
        }
    }

    /// Runs the test, again if the run was disturbed and not interesting.
    fn undisturbed(
        &self,
        observe: &mut dyn FnMut() -> Result<Observation, PredicateError>,
    ) -> Result<(Observation, Judgment), PredicateError> {
        let mut spent = Duration::ZERO;
        let mut attempt = 1;
        loop {
            let observation = observe()?;
            let mut judgment = self.assess(&observation)?;
            spent += judgment.elapsed;
            judgment.elapsed = spent;
            let disturbance = observation.disturbance.filter(|_| !judgment.is_interesting());
            let is_answer = disturbance.is_none_or(|disturbance| self.kills_by_design.include(disturbance));
            if is_answer {
                if disturbance.is_none() {
                    self.kills_by_design.note_undisturbed();
                }
                return Ok((observation, judgment));
            }
            if attempt == TRIES {
                self.kills_by_design.note(disturbance);
                let reason = format!("killed from outside {TRIES} times: {}", judgment.reason);
                let unresolved = Judgment::new(Verdict::Unresolved, reason);
                return Ok((observation, Judgment { disturbed: true, elapsed: spent, ..unresolved }));
            }
            attempt += 1;
        }
    }

    /// The judgment that follows from a run.
    pub fn assess(&self, run: &Observation) -> Result<Judgment, PredicateError> {
        let (verdict, reason) = match (&run.settled, self.unmet(run)?) {
            (Some(settled), _) => settled.clone(),
            (None, None) => (Verdict::Interesting, run.ending.to_string()),
            (None, Some(reason)) => (self.verdict_of(&run.ending), reason),
        };
        let timed_out = matches!(run.ending, Ending::TimedOut(_));
        Ok(Judgment { timed_out, elapsed: run.elapsed, ..Judgment::new(verdict, reason) })
    }

    /// Whether a run printed everything that must be preserved of stdout and more: the failure is
    /// still there, among others.
    fn is_superset(&self, run: &Observation) -> bool {
        let about_stdout = self.rules.preserve.0.contains(&Aspect::Stdout) && run.settled.is_none();
        let baseline = self.baseline.get().filter(|_| about_stdout);
        baseline.is_some_and(|baseline| more_lines(&baseline.stdout, &self.baseline_of(run).stdout).is_some())
    }

    /// Learns the baseline and the time limit from runs on the original. All runs must agree on the
    /// preserved aspects.
    pub fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        let mut baselines = observations.iter().map(|observation| self.baseline_of(observation));
        let first = baselines.next().ok_or(CommandError::NoBaseline)?;
        for other in baselines {
            first.agrees_with(&other, &self.rules.preserve)?;
        }
        let _ = self.baseline.set(first);
        observations.iter().for_each(|observation| self.learn(observation));
        Ok(())
    }

    fn is_calibrated(&self) -> bool {
        self.baseline.get().is_some()
    }

    /// The time limit for the next run.
    pub fn timeout(&self) -> Duration {
        const BEFORE_ANYTHING_IS_KNOWN: Duration = Duration::from_secs(300);
        match (self.rules.timeout, self.slowest()) {
            (Timeout::Fixed(timeout), _) => timeout,
            (Timeout::Adaptive, None) => BEFORE_ANYTHING_IS_KNOWN,
            (Timeout::Adaptive, Some(slowest)) => {
                (10 * slowest + Duration::from_millis(500)).max(Duration::from_secs(1))
            }
        }
    }

    /// The duration of the slowest interesting run.
    pub fn slowest(&self) -> Option<Duration> {
        *self.slowest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, interesting: &Observation) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        *slowest = (*slowest).max(Some(interesting.elapsed));
    }

    /// The reason why a run is not interesting.
    fn unmet(&self, run: &Observation) -> Result<Option<String>, PredicateError> {
        if let Ending::TimedOut(_) = run.ending {
            return Ok(Some(run.ending.to_string()));
        }
        if run.settled.is_some() {
            return Ok(None);
        }
        let nothing_but_preserving = self.rules.expectations.is_empty() && !self.rules.preserve.0.is_empty();
        let unmet = match nothing_but_preserving {
            true => None,
            false => expect::unmet(&self.rules.expectations, &run.ending, &run.stdout, &run.stderr),
        };
        if unmet.is_some() || self.rules.preserve.0.is_empty() {
            return Ok(unmet);
        }
        let unknown = || PredicateError::Fatal("what to preserve is not known before a run on the original".into());
        let baseline = self.baseline.get().ok_or_else(unknown)?;
        Ok(baseline.difference(&self.baseline_of(run), &self.rules.preserve))
    }

    /// The verdict on a run that is not interesting. One that did not end by itself is unresolved,
    /// unless a rule is about how it ends.
    fn verdict_of(&self, ending: &Ending) -> Verdict {
        let about_exit = self.rules.expectations.iter().any(Expectation::is_about_exit)
            || self.rules.preserve.0.contains(&Aspect::Exit);
        let only_about_output = !about_exit && !self.rules.expectations.is_empty();
        match ending {
            Ending::Exited(_) => Verdict::Uninteresting,
            Ending::Signalled(_) if only_about_output => Verdict::Uninteresting,
            Ending::Signalled(_) | Ending::TimedOut(_) => Verdict::Unresolved,
        }
    }

    fn baseline_of(&self, run: &Observation) -> Baseline {
        let text = |aspect, captured: &Captured| match self.rules.preserve.0.contains(&aspect) {
            true => self.rules.normalise.apply(&captured.head, &[&run.directory, &run.temporary]),
            false => Vec::new(),
        };
        Baseline {
            ending: run.ending,
            stdout: text(Aspect::Stdout, &run.stdout),
            stderr: text(Aspect::Stderr, &run.stderr),
        }
    }
}

impl Baseline {
    /// Describes how the other baseline differs from this one in a preserved aspect.
    fn difference(&self, other: &Baseline, preserve: &Preserve) -> Option<String> {
        preserve.0.iter().find_map(|aspect| match aspect {
            Aspect::Exit => {
                (self.ending != other.ending).then(|| format!("{} instead of {}", other.ending, self.ending))
            }
            Aspect::Stdout => differs("stdout", &self.stdout, &other.stdout),
            Aspect::Stderr => differs("stderr", &self.stderr, &other.stderr),
        })
    }

    fn agrees_with(&self, other: &Baseline, preserve: &Preserve) -> Result<(), CommandError> {
        for aspect in &preserve.0 {
            let (aspect, first, second) = match aspect {
                Aspect::Exit => {
                    let (first, second) = (self.ending.to_string(), other.ending.to_string());
                    ("exit", first.into_bytes(), second.into_bytes())
                }
                Aspect::Stdout => ("stdout", self.stdout.clone(), other.stdout.clone()),
                Aspect::Stderr => ("stderr", self.stderr.clone(), other.stderr.clone()),
            };
            if let Some((_, first, second)) = different_line(&first, &second) {
                return Err(CommandError::Unsteady { aspect, first, second });
            }
        }
        Ok(())
    }
}

fn differs(stream: &str, original: &[u8], other: &[u8]) -> Option<String> {
    let (line, ..) = different_line(original, other)?;
    Some(match more_lines(original, other) {
        Some(more) => format!("superset: {stream} has every line of the original's and {more} more"),
        None => format!("{stream} differs from the original's in line {line}"),
    })
}

/// The number of the first line in which two texts differ, and that line of each.
fn different_line(one: &[u8], other: &[u8]) -> Option<(usize, String, String)> {
    if one == other {
        return None;
    }
    let mut ones = one.split(|&byte| byte == b'\n');
    let mut others = other.split(|&byte| byte == b'\n');
    let show = |line: Option<&[u8]>| match line {
        Some(line) => format!("`{}`", String::from_utf8_lossy(line)),
        None => "nothing more".to_owned(),
    };
    (1..)
        .map(|number| (number, ones.next(), others.next()))
        .find(|(_, one, other)| one != other)
        .map(|(number, one, other)| (number, show(one), show(other)))
}

/// The number of additional lines of the second text, if it contains all lines of the first in any
/// order.
fn more_lines(one: &[u8], other: &[u8]) -> Option<usize> {
    let sorted = |text: &[u8]| {
        let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.retain(|line| !line.is_empty());
        lines.sort_unstable();
        lines
    };
    let (ones, others) = (sorted(one), sorted(other));
    let mut rest = others.iter();
    let contained = ones.iter().all(|line| rest.any(|other| other == line));
    (contained && !ones.is_empty() && others.len() > ones.len()).then(|| others.len() - ones.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judges a candidate whose runs all end with exit code 1, disturbed or not.
    fn judged(criteria: &Criteria, disturbance: Option<Disturbance>) -> Judgment {
        let run = || Ok(Observation { disturbance, ..Observation::new(Ending::Exited(1)) });
        criteria.judge(run).unwrap().judgment
    }

    const KILLED: Option<Disturbance> = Some(Disturbance::Killed);
    const OUT_OF_MEMORY: Option<Disturbance> = Some(Disturbance::MemoryRanOut);

    #[test]
    fn a_test_that_is_killed_on_some_candidates_only_does_so_by_design() {
        let criteria = Criteria::new(Rules::default());
        for _ in 0..3 {
            assert!(judged(&criteria, KILLED).disturbed);
            assert!(!judged(&criteria, None).disturbed);
        }
        assert!(!judged(&criteria, KILLED).disturbed, "an answer");
        assert!(judged(&criteria, OUT_OF_MEMORY).disturbed, "never an answer");
    }

    #[test]
    fn kills_of_every_run_are_never_taken_for_design() {
        let criteria = Criteria::new(Rules::default());
        for _ in 0..9 {
            assert!(judged(&criteria, KILLED).disturbed, "nothing shows that the test still works");
        }
        let criteria = Criteria::new(Rules::default());
        for _ in 0..9 {
            assert!(judged(&criteria, OUT_OF_MEMORY).disturbed);
            assert!(!judged(&criteria, None).disturbed);
        }
        assert!(judged(&criteria, KILLED).disturbed, "kills for lack of memory do not count");
    }

    #[test]
    fn more_lines_counts_what_a_superset_has_beyond_the_original() {
        assert_eq!(more_lines(b"a\nb\n", b"b\nx\na\n"), Some(1));
        assert_eq!(more_lines(b"a\na\n", b"a\nb\n"), None, "lines count as often as they occur");
        assert_eq!(more_lines(b"a\n", b"a\n"), None);
        assert_eq!(more_lines(b"", b"a\n"), None, "everything is more than nothing");
    }
}
