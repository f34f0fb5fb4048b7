//! The report of a triage.

use super::reduction::ReducedLoss;
use crate::error::Error;
use lapidary_triage::tables::Scored;
use lapidary_triage::{Conclusion, Examined};

/// The outcome of a triage.
pub struct TriageReport {
    /// The names of the analyses or tools asked.
    pub analyses: Vec<String>,
    /// The details of each program.
    pub examined: Vec<Examined>,
    /// The verdicts for each program.
    pub scored: Vec<Scored>,
    /// Remarks about programs.
    pub notes: Vec<String>,
    /// The conclusion over all programs.
    pub conclusion: Conclusion,
    /// The small program, if one was asked for.
    pub reduced: Option<ReducedLoss>,
    /// The error that ended the reduction.
    pub failed: Option<Error>,
}
