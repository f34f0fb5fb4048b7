//! Everything that a triage found, as JSON for programs and as one page for people.

mod html;
mod json;
mod plot;

pub use html::page;
pub use json::{as_json, program_as_json};

use crate::conclusion::Conclusion;
use crate::judged::Judged;
use crate::tables::Scored;

/// What there is to report.
pub struct Findings<'a> {
    pub analyses: &'a [String],
    /// Programs whose methods were compared; none if tools of another kind were asked.
    pub judged: &'a [Judged],
    pub scored: &'a [Scored],
    /// What they come to.
    pub conclusion: &'a Conclusion,
    /// What could not be done: programs that did not start, analyses that were left out.
    pub notes: &'a [String],
}
