//! Runs the test on the input before the search: is the input interesting, and in every run?

use crate::advice;
use crate::test::Ready;
use crate::watcher::Watcher;
use anyhow::bail;
use lapidary_common::words::counted;
use lapidary_predicate::{Disturbance, Ending, Observation};
use lapidary_reduce::{Cancel, FileTree, Judgment, PredicateError};
use std::time::{Duration, Instant};

/// How many times the test runs on the input, unless that takes too long.
const RUNS: usize = 3;

/// No further run starts after this time, or after this fraction of the time budget.
const LONG: Duration = Duration::from_secs(10);
const SHARE: u32 = 10;

/// The outcome of the runs on the input.
pub(crate) struct Preflight {
    pub runs: usize,
    pub interesting: usize,
    /// The output of the first run on the input.
    pub printed: String,
    /// The first run that was interesting, with its reason.
    pub shown: Option<(Judgment, Observation)>,
    /// The last run that was not interesting.
    pub failed: Option<(Judgment, Observation)>,
}

impl Preflight {
    /// Runs the test on the input, several times unless that takes too long for the `budget`.
    /// Returns `None` if `cancel` fired.
    pub fn run(
        test: &Ready<'_>,
        input: &FileTree,
        budget: Option<Duration>,
        cancel: &Cancel,
        watcher: &mut dyn Watcher,
    ) -> anyhow::Result<Option<Preflight>> {
        let started = Instant::now();
        let long = budget.map_or(LONG, |budget| LONG.min(budget / SHARE));
        let mut observations = Vec::new();
        while test.needs_more_runs(&observations)? || (observations.len() < RUNS && started.elapsed() < long) {
            watcher.phase(&checking(observations.len()));
            match observe(test, input, cancel) {
                Ok(observation) => observations.push(observation),
                Err(PredicateError::Cancelled) => return Ok(None),
                Err(PredicateError::Fatal(reason) | PredicateError::Disturbed(reason)) => bail!("{reason}"),
            }
        }
        if test.preserves {
            test.predicate.calibrate(&observations)?;
        }
        let runs = observations.len();
        let printed = observations
            .first()
            .map_or_else(String::new, |first| String::from_utf8_lossy(&first.stdout.head).into_owned());
        let mut preflight = Preflight { runs, interesting: 0, printed, shown: None, failed: None };
        let mut interesting = Vec::new();
        for observation in observations {
            let judgment = test.predicate.assess(&observation)?;
            match judgment.is_interesting() {
                true => {
                    preflight.shown.get_or_insert_with(|| (judgment, observation.clone()));
                    interesting.push(observation);
                }
                false => preflight.failed = Some((judgment, observation)),
            }
        }
        preflight.interesting = interesting.len();
        if !interesting.is_empty() && !test.preserves {
            test.predicate.calibrate(&interesting)?;
        }
        Ok(Some(preflight))
    }

    pub fn is_flaky(&self) -> bool {
        self.interesting > 0 && self.interesting < self.runs
    }

    /// Whether the test exited without any output.
    pub fn printed_nothing(&self) -> bool {
        let is_orderly = |observation: &Observation| matches!(observation.ending, Ending::Exited(_));
        self.printed.trim().is_empty() && self.failed.as_ref().is_some_and(|(_, observation)| is_orderly(observation))
    }

    /// Explains why the input is not interesting, with the output of the test.
    pub fn explain(&self, test: &Ready<'_>) -> String {
        let Some((judgment, observation)) = &self.failed else { return String::new() };
        let mut text = format!("the test does not find the input interesting: {}", judgment.reason);
        for (name, output) in [("stdout", &observation.stdout), ("stderr", &observation.stderr)] {
            let shown = String::from_utf8_lossy(&output.head);
            if !shown.trim().is_empty() {
                text.push_str(&format!("\n--- {name} of the test\n{}", ending_of(&shown)));
            }
        }
        advice::notes(test, observation).iter().for_each(|note| text.push_str(&format!("\nnote: {note}")));
        text
    }
}

fn checking(runs: usize) -> String {
    format!("checking the test on the input, run {} of {}", runs + 1, RUNS.max(runs + 1))
}

/// Runs the test on the input, again if the system ended it because memory ran out.
fn observe(test: &Ready<'_>, input: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
    const TRIES: usize = 3;
    for _ in 0..TRIES {
        let observation = test.predicate.observe(input, cancel)?;
        let is_disturbed = observation.disturbance == Some(Disturbance::MemoryRanOut);
        // What is preserved is learnt from these runs, so none of them may lack anything.
        if !is_disturbed || (!test.preserves && test.predicate.assess(&observation)?.is_interesting()) {
            return Ok(observation);
        }
    }
    Err(PredicateError::Fatal(format!(
        "memory ran out {TRIES} times while the test ran on the input, and the system killed processes; see --limit-memory"
    )))
}

/// The last lines of the output of a test.
fn ending_of(output: &str) -> String {
    const LINES: usize = 20;
    let lines: Vec<&str> = output.trim_end().lines().collect();
    let skipped = lines.len().saturating_sub(LINES);
    let dots = if skipped > 0 { format!("… ({} before)\n", counted(skipped as u64, "line")) } else { String::new() };
    dots + &lines[skipped..].join("\n")
}
