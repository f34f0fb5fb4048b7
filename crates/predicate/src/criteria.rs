//! When a run counts as interesting, and how long it may take: what is expected, what must be as on the original.
//!
//! Shared by everything that runs a test, so that a verdict does not depend on how the test was run.

use crate::command::CommandError;
use crate::ending::Ending;
use crate::expect::{self, Aspect, Expectation, Preserve};
use crate::normalise::Normaliser;
use crate::process::Captured;
use lapidary_reduce::{Judgment, PredicateError, Verdict};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeout {
    Fixed(Duration),
    /// Generous until the first interesting runs are known, then ten times the slowest of them and half a second.
    Adaptive,
}

/// What one run showed.
#[derive(Clone, Debug)]
pub struct Observation {
    pub ending: Ending,
    pub stdout: Captured,
    pub stderr: Captured,
    pub elapsed: Duration,
    /// Where it ran. What was there is gone.
    pub directory: PathBuf,
    pub(crate) temporary: PathBuf,
    /// What the test itself says about the candidate, or what became of it, where no rule is needed to tell.
    pub(crate) settled: Option<(Verdict, String)>,
}

/// The rules by which runs are assessed, and what runs on the original have taught.
pub struct Criteria {
    pub expectations: Vec<Expectation>,
    pub preserve: Preserve,
    pub normalise: Normaliser,
    pub timeout: Timeout,
    baseline: OnceLock<Baseline>,
    slowest: Mutex<Option<Duration>>,
}

/// A judgment, and whether it was missed only because more was printed than on the original.
pub struct Assessed {
    pub judgment: Judgment,
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
    pub fn new(expectations: Vec<Expectation>, preserve: Preserve, normalise: Normaliser, timeout: Timeout) -> Self {
        let (baseline, slowest) = (OnceLock::new(), Mutex::new(None));
        Criteria { expectations, preserve, normalise, timeout, baseline, slowest }
    }

    /// Runs the test until a run is not interesting or `repeat` runs agree.
    pub fn judge(
        &self,
        repeat: u32,
        mut observe: impl FnMut() -> Result<Observation, PredicateError>,
    ) -> Result<Assessed, PredicateError> {
        let mut total = Duration::ZERO;
        let mut runs = 0;
        loop {
            let observation = observe()?;
            let mut judgment = self.assess(&observation)?;
            total += judgment.elapsed;
            runs += 1;
            if judgment.is_interesting() && self.is_calibrated() {
                self.learn(&observation);
            }
            if !judgment.is_interesting() || runs >= repeat {
                judgment.elapsed = total;
                let superset = !judgment.is_interesting() && self.is_superset(&observation);
                return Ok(Assessed { judgment, superset });
            }
        }
    }

    /// What a run says about its candidate.
    pub fn assess(&self, run: &Observation) -> Result<Judgment, PredicateError> {
        let (verdict, reason) = match (&run.settled, self.unmet(run)?) {
            (Some(settled), _) => settled.clone(),
            (None, None) => (Verdict::Interesting, run.ending.to_string()),
            (None, Some(reason)) => (self.verdict_of(&run.ending), reason),
        };
        let timed_out = matches!(run.ending, Ending::TimedOut(_));
        Ok(Judgment { verdict, reason, timed_out, elapsed: run.elapsed })
    }

    /// Whether a run printed all that must be preserved of stdout, and more: the failure is there, with company.
    fn is_superset(&self, run: &Observation) -> bool {
        let about_stdout = self.preserve.0.contains(&Aspect::Stdout) && run.settled.is_none();
        let baseline = self.baseline.get().filter(|_| about_stdout);
        baseline.is_some_and(|baseline| more_lines(&baseline.stdout, &self.baseline_of(run).stdout).is_some())
    }

    /// Learns from runs on the original: what is to be preserved, and how long a run may take. If something is preserved,
    /// all the runs must agree on it.
    pub fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        let mut baselines = observations.iter().map(|observation| self.baseline_of(observation));
        let first = baselines.next().ok_or(CommandError::NoBaseline)?;
        for other in baselines {
            first.agrees_with(&other, &self.preserve)?;
        }
        let _ = self.baseline.set(first);
        observations.iter().for_each(|observation| self.learn(observation));
        Ok(())
    }

    fn is_calibrated(&self) -> bool {
        self.baseline.get().is_some()
    }

    /// How long the next run may take.
    pub fn timeout(&self) -> Duration {
        const BEFORE_ANYTHING_IS_KNOWN: Duration = Duration::from_secs(300);
        match (self.timeout, self.slowest()) {
            (Timeout::Fixed(timeout), _) => timeout,
            (Timeout::Adaptive, None) => BEFORE_ANYTHING_IS_KNOWN,
            (Timeout::Adaptive, Some(slowest)) => {
                (10 * slowest + Duration::from_millis(500)).max(Duration::from_secs(1))
            }
        }
    }

    /// How long the slowest interesting run took.
    pub fn slowest(&self) -> Option<Duration> {
        *self.slowest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, interesting: &Observation) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        *slowest = (*slowest).max(Some(interesting.elapsed));
    }

    /// Why a run is not interesting.
    fn unmet(&self, run: &Observation) -> Result<Option<String>, PredicateError> {
        if let Ending::TimedOut(_) = run.ending {
            return Ok(Some(run.ending.to_string()));
        }
        if run.settled.is_some() {
            return Ok(None);
        }
        let nothing_but_preserving = self.expectations.is_empty() && !self.preserve.0.is_empty();
        let unmet = match nothing_but_preserving {
            true => None,
            false => expect::unmet(&self.expectations, &run.ending, &run.stdout, &run.stderr),
        };
        if unmet.is_some() || self.preserve.0.is_empty() {
            return Ok(unmet);
        }
        let unknown = || PredicateError::Fatal("what to preserve is not known before a run on the original".into());
        let baseline = self.baseline.get().ok_or_else(unknown)?;
        Ok(baseline.difference(&self.baseline_of(run), &self.preserve))
    }

    /// A run that was not interesting and did not end by itself says nothing, unless its end is what was asked about.
    fn verdict_of(&self, ending: &Ending) -> Verdict {
        let about_exit =
            self.expectations.iter().any(Expectation::is_about_exit) || self.preserve.0.contains(&Aspect::Exit);
        let only_about_output = !about_exit && !self.expectations.is_empty();
        match ending {
            Ending::Exited(_) => Verdict::Uninteresting,
            Ending::Signalled(_) if only_about_output => Verdict::Uninteresting,
            Ending::Signalled(_) | Ending::TimedOut(_) => Verdict::Unresolved,
        }
    }

    fn baseline_of(&self, run: &Observation) -> Baseline {
        let text = |aspect, captured: &Captured| match self.preserve.0.contains(&aspect) {
            true => self.normalise.apply(&captured.head, &[&run.directory, &run.temporary]),
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
    /// How the other differs from this one in what is preserved, in words.
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

/// The number of the first line in which two texts differ, and what each has there.
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

/// How many lines the other text has beyond those of the first, if it has all of those, in whatever order.
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

    #[test]
    fn more_lines_counts_what_a_superset_has_beyond_the_original() {
        assert_eq!(more_lines(b"a\nb\n", b"b\nx\na\n"), Some(1));
        assert_eq!(more_lines(b"a\na\n", b"a\nb\n"), None, "lines count as often as they occur");
        assert_eq!(more_lines(b"a\n", b"a\n"), None);
        assert_eq!(more_lines(b"", b"a\n"), None, "everything is more than nothing");
    }
}
