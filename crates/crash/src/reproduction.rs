//! How often the original fails, and in which ways.

use crate::error::CrashError;
use crate::failure::Failure;
use crate::observer::{FailureObserver, Observed, Outcome};
use crate::sameness::Sameness;
use lapidary_predicate::Captured;
use lapidary_reduce::{Cancel, FileTree};

/// The outcomes of several runs of the original.
#[derive(Clone, Debug)]
pub struct Reproduction {
    pub runs: u32,
    /// The distinct failures, most frequent first, each with its count.
    pub failures: Vec<(Failure, u32)>,
}

impl Reproduction {
    /// Returns whether every run failed in the same way.
    pub fn is_steady(&self) -> bool {
        matches!(self.failures.as_slice(), [(_, count)] if *count == self.runs)
    }

    /// Returns the share of runs with the most frequent failure, between 0 and 1.
    pub fn rate(&self) -> f64 {
        self.failures.first().map_or(0.0, |(_, count)| f64::from(*count) / f64::from(self.runs.max(1)))
    }

    /// Returns the number of runs without the failure after which it is 95 % certain that a program
    /// does not have it.
    pub(crate) fn attempts(&self) -> u32 {
        const MOST: u32 = 20;
        (1..MOST).find(|&runs| (1.0 - self.rate()).powi(runs as i32) < 0.05).unwrap_or(MOST)
    }
}

/// Runs the original several times to see how often it fails, and whether always in the same way.
/// Returns an error if it never fails.
pub fn reproduce(
    observer: &FailureObserver,
    original: &FileTree,
    runs: u32,
    cancel: &Cancel,
) -> Result<Reproduction, CrashError> {
    let mut failures: Vec<(Failure, u32)> = Vec::new();
    let mut other = None;
    for _ in 0..runs.max(1) {
        let observed = observer.observe_unknown(original, cancel)?;
        match observed.outcome {
            Outcome::Failed(failure) => {
                observer.learn(&observed.timings);
                count(&mut failures, failure);
            }
            _ => other = Some(observed),
        }
    }
    failures.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    match (failures.is_empty(), other) {
        (true, Some(observed)) => Err(no_failure(&observed)),
        _ => Ok(Reproduction { runs: runs.max(1), failures }),
    }
}

fn count(failures: &mut Vec<(Failure, u32)>, failure: Failure) {
    let same = |known: &Failure| Sameness::new(known.clone()).difference(&failure).is_none();
    match failures.iter_mut().find(|(known, _)| same(known)) {
        Some((_, count)) => *count += 1,
        None => failures.push((failure, 1)),
    }
}

fn no_failure(observed: &Observed) -> CrashError {
    match &observed.outcome {
        Outcome::Rejected(errors) => CrashError::DoesNotCompile(errors.clone()),
        Outcome::TimedOut(limit) => CrashError::TimedOut(limit.as_secs_f64()),
        Outcome::Passed(ending) => {
            let output = tail(&observed.stdout) + &tail(&observed.stderr);
            let hint = if wants_terminal(&output) { NO_TERMINAL } else { "" };
            CrashError::DoesNotFail { ending: ending.to_string(), hint, output }
        }
        Outcome::Failed(failure) => {
            CrashError::DoesNotFail { ending: failure.headline(), hint: "", output: String::new() }
        }
    }
}

const NO_TERMINAL: &str = " (it seems to want a terminal, which it has not: give what it reads with < FILE, and its terminal settings in TERM)";

fn wants_terminal(output: &str) -> bool {
    let lower = output.to_ascii_lowercase();
    ["inappropriate ioctl", "not a tty", "not a terminal", "opening terminal", "/dev/tty"]
        .iter()
        .any(|sign| lower.contains(sign))
}

/// Returns the last lines of the output, indented.
fn tail(captured: &Captured) -> String {
    const SHOWN: usize = 8;
    let text = String::from_utf8_lossy(&captured.head);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].iter().map(|line| format!("\n  {line}")).collect()
}
