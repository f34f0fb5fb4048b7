//! The analyses to ask, and the settings of a triage.

use crate::effort::Effort;
use crate::output::Saving;
use anyhow::Context;
use lapidary_predicate::Sandbox;
use lapidary_triage::{Analysis, Panel, Thresholds, Tools};
use regex::RegexSet;
use std::time::Duration;

const PROGRAM_TIMEOUT: Duration = Duration::from_secs(120);
/// Third-party analyses need minutes for the classes of the JDK alone.
const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(600);

/// The analyses to ask, in the syntax of the command line.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Built-in analyses by name, followed by `+WEAKNESS` for a defect.
    pub own: Vec<String>,
    /// Third-party analyses by name; if `None`, those that are installed.
    pub others: Option<Vec<String>>,
    /// Commands of the user, as `NAME=COMMAND {classpath} {main} {out}`.
    pub commands: Vec<String>,
    /// How much an analysis counts, as `NAME=WEIGHT`.
    pub weights: Vec<String>,
    /// Classes that analyses exclude on purpose, as regular expressions over internal names.
    pub excluded: Vec<String>,
}

impl Default for Asked {
    /// All built-in analyses, and no others.
    fn default() -> Self {
        Asked {
            own: ["cha", "rta", "xta", "0-cfa"].map(str::to_owned).to_vec(),
            others: Some(Vec::new()),
            commands: Vec::new(),
            weights: Vec::new(),
            excluded: Vec::new(),
        }
    }
}

/// The settings of a triage.
#[derive(Clone, Default)]
pub struct TriageOptions {
    /// The analyses to ask.
    pub asked: Asked,
    /// Tools of any other kind, to ask instead of analyses.
    pub tools: Option<Tools>,
    /// The easiness from which a miss is a bug, and below which it is a known limit.
    pub thresholds: Thresholds,
    /// Follow objects that the library returns, for better guesses at causes.
    pub objects: bool,
    /// The sandbox that programs run in. Analyses run outside.
    pub sandbox: Option<Sandbox>,
    /// How long each program and each analysis may take.
    pub timeout: Option<Duration>,
    /// Whether there is only one program, so that a failure to examine it is an error.
    pub is_single: bool,
    /// Make the program small for a loss of this analysis, or of any if the name is empty.
    pub reduce: Option<String>,
    /// Where the small program goes; if `None`, beside the program.
    pub saving: Option<Saving>,
    /// The seed of the reduction.
    pub seed: u64,
    /// Jobs and cancellation, and the budget of the reduction.
    pub effort: Effort,
}

impl TriageOptions {
    pub(super) fn panel(&self, analyses: &[Box<dyn Analysis>]) -> anyhow::Result<Panel> {
        Ok(Panel {
            analyses: analyses.iter().map(|analysis| (analysis.name().to_owned(), analysis.weight())).collect(),
            thresholds: self.thresholds,
            excluded: RegexSet::new(&self.asked.excluded).context("--excluded")?,
        })
    }

    pub(super) fn program_timeout(&self) -> Duration {
        self.timeout.unwrap_or(PROGRAM_TIMEOUT)
    }

    pub(super) fn analysis_timeout(&self) -> Duration {
        self.timeout.unwrap_or(ANALYSIS_TIMEOUT)
    }
}
