//! The report of a triage, as JSON for programs.

mod json;

pub use json::{as_json, program_as_json};

use crate::conclusion::Conclusion;
use crate::judged::Judged;
use crate::tables::Scored;

/// The data of a report.
pub struct Findings<'a> {
    pub analyses: &'a [String],
    /// Programs whose methods were compared; empty if the tools are not Java analyses.
    pub judged: &'a [Judged],
    pub scored: &'a [Scored],
    /// The conclusion on these programs.
    pub conclusion: &'a Conclusion,
    /// Failures: programs that did not start, and analyses that were left out.
    pub notes: &'a [String],
}
