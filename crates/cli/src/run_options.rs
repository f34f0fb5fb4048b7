//! The options that every long search has: where its result goes, how many tests run at once, when it stops.

use crate::budget::Budget;
use crate::output::{self, Existing, Output};
use anyhow::bail;
use clap::Args;
use lapidary_reduce::{Cancel, Limits};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(next_help_heading = "Where results go")]
pub struct FileOptions {
    /// Where the result goes [default: NAME.reduced.EXT beside the input].
    #[arg(long, short, value_name = "PATH")]
    pub out: Option<PathBuf>,

    /// Go on with an interrupted run; no test is repeated.
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,

    /// Replace the result of an earlier run.
    #[arg(long)]
    pub force: bool,

    /// Write a summary as JSON (`-` for standard output).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(long, short)]
    pub quiet: bool,
}

impl FileOptions {
    /// Claims the place of the result, after making sure that nothing is written over anything else. It is named after the
    /// first of the inputs.
    pub fn claim_output(&self, named_after: &Path, inputs: &[PathBuf]) -> anyhow::Result<Output> {
        let path = self.out.clone().unwrap_or_else(|| output::default_path(named_after));
        let journal = output::journal_of(&path);
        for written in [Some(&path), Some(&journal), self.json.as_ref()].into_iter().flatten() {
            inputs.iter().try_for_each(|input| output::must_differ(written, input))?;
        }
        if let Some(json) = self.json.as_ref().filter(|json| [&path, &journal].contains(json)) {
            bail!("the summary cannot go to {}: the result or its journal goes there", json.display());
        }
        let existing = match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (_, true) => Existing::Resume,
            _ => Existing::Refuse,
        };
        Output::claim(path, existing)
    }

    /// Whether a person reads standard output: it is for one reader, a program or a person.
    pub fn tells_a_person(&self) -> bool {
        !self.quiet && self.json.as_deref() != Some(Path::new("-"))
    }
}

#[derive(Args)]
pub struct EffortOptions {
    /// Tests that run at once [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Stop after so many tests (500) or so much time (90s, 5m, 2h), with the best result saved.
    #[arg(long, value_name = "TESTS|TIME")]
    budget: Option<Budget>,
}

impl EffortOptions {
    /// The time that the search may take.
    pub fn time(&self) -> Option<Duration> {
        match self.budget {
            Some(Budget::Time(time)) => Some(time),
            Some(Budget::Tests(_)) | None => None,
        }
    }

    pub fn limits(&self, cancel: &Cancel) -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut limits =
            Limits { jobs: self.jobs.map_or(cores, usize::from), interrupt: cancel.clone(), ..Limits::default() };
        match self.budget {
            Some(Budget::Tests(tests)) => limits.tests = Some(tests),
            Some(Budget::Time(time)) => limits.deadline = Instant::now().checked_add(time),
            None => {}
        }
        limits
    }
}
