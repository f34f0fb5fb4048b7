//! One of many runs: the numbers of its journal and how it ended.

use crate::reduction::{Gathered, Tally, damage};
use lapidary_reduce::journal::Of;
use std::path::{Path, PathBuf};

/// A run in numbers.
#[derive(Clone, Debug)]
pub struct Run {
    /// The path of the result below the folder of all runs.
    pub name: String,
    /// The journal.
    pub journal: PathBuf,
    /// The files of the input, and the result; they may be gone.
    pub files: Vec<PathBuf>,
    /// The command: `reduce` or `crash`.
    pub command: String,
    /// The strategy that was asked for, or `default`.
    pub strategy: String,
    /// The strategies that ran, in order.
    pub strategies: Vec<String>,
    /// The content key of the input.
    pub input: String,
    /// The test, as a person would type it.
    pub test: String,
    /// The size of the input; 0 if the search has not begun.
    pub bytes_before: u64,
    /// The size of the best result.
    pub bytes_after: u64,
    /// All tests by verdict.
    pub tally: Tally,
    /// Answers from the cache, known of runs that came to their end.
    pub cached: Option<u64>,
    /// Seconds from the beginning to the end of the search, or to the last line.
    pub seconds: f64,
    /// Seconds in tests, summed over all jobs.
    pub in_tests: f64,
    /// The way in which the run ended.
    pub ending: Ending,
    /// Why some of these numbers may be wrong: what cannot be read of the journal.
    pub damage: Option<String>,
    /// Whether the last line is incomplete.
    pub is_cut_short: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The search came to its end.
    Done,
    /// The search came to its end, but the test rejected its result when it ran once more.
    Flaky,
    /// The search was stopped or killed.
    Stopped,
    /// The run is going on.
    Running,
}

impl Ending {
    /// The ending in a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Ending::Done => "done",
            Ending::Flaky => "flaky",
            Ending::Stopped => "stopped",
            Ending::Running => "running",
        }
    }
}

impl Run {
    /// The numbers of a run. `root` is the folder of all runs.
    pub(super) fn of(gathered: &Gathered, root: &Path) -> Run {
        let header = &gathered.header;
        let mut strategies: Vec<String> = Vec::new();
        for seen in &gathered.stages {
            if !strategies.contains(&seen.stage.strategy) {
                strategies.push(seen.stage.strategy.clone());
            }
        }
        Run {
            name: name(&gathered.result().unwrap_or_else(|| gathered.path.clone()), root),
            journal: gathered.path.clone(),
            files: gathered.inputs().into_iter().chain(gathered.result()).collect(),
            command: if header.command.is_empty() { "reduce".to_owned() } else { header.command.clone() },
            strategy: header.strategy().unwrap_or("default").to_owned(),
            strategies,
            input: header.input.clone(),
            test: header.test.clone(),
            bytes_before: gathered.bytes_before,
            bytes_after: gathered.bytes_after,
            tally: gathered.tally,
            cached: gathered.done.and_then(|done| done.cached),
            seconds: gathered.seconds,
            in_tests: gathered.in_tests,
            ending: ending(gathered),
            damage: (!gathered.damaged.is_empty()).then(|| damage(&gathered.damaged)),
            is_cut_short: gathered.is_cut_short && !gathered.is_running,
        }
    }

    /// The share of the input that is left; `None` if the search has not begun.
    #[must_use]
    pub fn left(&self) -> Option<f64> {
        (self.bytes_before > 0).then(|| self.bytes_after as f64 / self.bytes_before as f64)
    }

    /// Whether its numbers can be compared with those of others: it is over, the search had begun,
    /// the result is one, and every line of the journal could be read.
    #[must_use]
    pub fn counts(&self) -> bool {
        let is_over = matches!(self.ending, Ending::Done | Ending::Stopped);
        is_over && self.left().is_some() && self.damage.is_none()
    }

    /// The problems, in words.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let cut = "The last line of the journal is incomplete: the run was killed.";
        let flaky = "The test is flaky: tested once more, the result is not interesting.";
        let begun = "The search has not begun.";
        let said = [
            (self.ending == Ending::Running, "The run is still going on."),
            (self.ending == Ending::Flaky, flaky),
            (self.is_cut_short, cut),
            (self.left().is_none(), begun),
        ];
        let said = said.into_iter().filter(|(holds, _)| *holds).map(|(_, words)| words.to_owned());
        self.damage.iter().cloned().chain(said).collect()
    }
}

/// The path below a folder, without the ending of journals.
pub(super) fn name(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

fn ending(gathered: &Gathered) -> Ending {
    let on_result = gathered.outputs.iter().rfind(|output| output.of == Of::Result);
    match (gathered.done, gathered.is_running) {
        (_, true) => Ending::Running,
        (None, false) => Ending::Stopped,
        (Some(_), false) if on_result.is_some_and(|output| output.is_uninteresting) => Ending::Flaky,
        (Some(_), false) => Ending::Done,
    }
}

/// A run of which only name and sizes matter.
#[cfg(test)]
pub(super) fn sample(name: &str, bytes_before: u64, bytes_after: u64) -> Run {
    Run {
        name: name.to_owned(),
        journal: PathBuf::from(format!("{name}{}", lapidary_reduce::journal::ENDING)),
        files: Vec::new(),
        command: "reduce".to_owned(),
        strategy: "default".to_owned(),
        strategies: vec!["polish".to_owned()],
        input: "key".to_owned(),
        test: "./test {}".to_owned(),
        bytes_before,
        bytes_after,
        tally: Tally { interesting: 1, uninteresting: 2, unresolved: 0, timed_out: 0 },
        cached: Some(4),
        seconds: 1.5,
        in_tests: 1.25,
        ending: Ending::Done,
        damage: None,
        is_cut_short: false,
    }
}
