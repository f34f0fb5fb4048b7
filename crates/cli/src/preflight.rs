//! Before anything is reduced: is the input interesting, always, and is the test not too easy to please?

use crate::test_options::Test;
use anyhow::bail;
use lapidary_predicate::{Ending, Observation, TestPredicate};
use lapidary_reduce::{Cancel, FileTree, Judgment, PredicateError};
use std::time::{Duration, Instant};

/// How often the test is run on the input, if that does not take too long.
const RUNS: usize = 3;

/// How long is too long, and which share of the time that a user gives.
const LONG: Duration = Duration::from_secs(10);
const SHARE: u32 = 10;

/// What the runs on the input showed.
pub struct Preflight {
    pub runs: usize,
    pub interesting: usize,
    /// What the first run on the input printed.
    pub printed: String,
    /// The last run that was not interesting.
    pub failed: Option<(Judgment, Observation)>,
}

impl Preflight {
    /// Runs the test on the input, several times unless that takes too long for the `budget`. `None`: the user wants out.
    pub fn run(
        test: &Test,
        input: &FileTree,
        budget: Option<Duration>,
        cancel: &Cancel,
    ) -> anyhow::Result<Option<Preflight>> {
        let started = Instant::now();
        let long = budget.map_or(LONG, |budget| LONG.min(budget / SHARE));
        let mut observations = Vec::new();
        while observations.is_empty() || (observations.len() < RUNS && started.elapsed() < long) {
            match test.predicate.observe(input, cancel) {
                Ok(observation) => observations.push(observation),
                Err(PredicateError::Cancelled) => return Ok(None),
                Err(PredicateError::Fatal(reason)) => bail!("{reason}"),
            }
        }
        if test.preserves {
            test.predicate.calibrate(&observations)?;
        }
        let runs = observations.len();
        let printed = observations
            .first()
            .map_or_else(String::new, |first| String::from_utf8_lossy(&first.stdout.head).into_owned());
        let mut preflight = Preflight { runs, interesting: 0, printed, failed: None };
        let mut interesting = Vec::new();
        for observation in observations {
            let judgment = test.predicate.assess(&observation)?;
            match judgment.is_interesting() {
                true => interesting.push(observation),
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

    /// The test ended in an orderly way, and said nothing.
    pub fn printed_nothing(&self) -> bool {
        let is_orderly = |observation: &Observation| matches!(observation.ending, Ending::Exited(_));
        self.printed.trim().is_empty() && self.failed.as_ref().is_some_and(|(_, observation)| is_orderly(observation))
    }

    /// Says why the input is not interesting, with what the test itself printed.
    pub fn explain(&self, predicate: &dyn TestPredicate) -> String {
        let Some((judgment, observation)) = &self.failed else { return String::new() };
        let mut text = format!("the test does not find the input interesting: {}", judgment.reason);
        for (name, output) in [("stdout", &observation.stdout), ("stderr", &observation.stderr)] {
            let shown = String::from_utf8_lossy(&output.head);
            if !shown.trim().is_empty() {
                text.push_str(&format!("\n--- {name} of the test\n{}", ending_of(&shown)));
            }
        }
        if matches!(observation.ending, Ending::Exited(126 | 127)) {
            text.push_str("\nnote: the test runs in a directory of its own: inside a command line for a shell, files need absolute paths");
        }
        for argument in predicate.relative_arguments() {
            text.push_str(&format!(
                "\nnote: the test runs in a directory of its own, where `{}` is not",
                argument.display()
            ));
        }
        text
    }
}

/// The last lines of what a test printed.
fn ending_of(output: &str) -> String {
    const LINES: usize = 20;
    let lines: Vec<&str> = output.trim_end().lines().collect();
    let skipped = lines.len().saturating_sub(LINES);
    let dots = if skipped > 0 { format!("… ({skipped} lines before)\n") } else { String::new() };
    dots + &lines[skipped..].join("\n")
}
