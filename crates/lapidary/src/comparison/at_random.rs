//! A difference that only random testing found.

use super::report::ComparisonReport;
use lapidary_compare::{Observed, RandomComparison};
use lapidary_symbolic::{Input, Number};

/// An input on which the versions differ, and how they behaved.
pub struct FoundAtRandom<'a> {
    /// The receiver, if there is one, then the arguments of the call.
    pub inputs: &'a [Input<Number>],
    /// The behaviour of the old version.
    pub old: &'a Observed,
    /// The behaviour of the new version.
    pub new: &'a Observed,
}

impl ComparisonReport {
    /// The difference that random testing found, if the symbolic comparison found none.
    pub fn found_at_random(&self) -> Option<FoundAtRandom<'_>> {
        match &self.random {
            Ok(RandomComparison { found: Some((inputs, old, new)), .. }) if self.comparison.difference.is_none() => {
                Some(FoundAtRandom { inputs, old, new })
            }
            _ => None,
        }
    }
}

impl FoundAtRandom<'_> {
    /// The aspect that differs: `result`, `arguments` or `output`.
    pub fn at(&self) -> &'static str {
        match (self.old, self.new) {
            (Observed::Seen { ending, .. }, Observed::Seen { ending: other, .. }) if ending != other => "result",
            (Observed::Seen { left, .. }, Observed::Seen { left: other, .. }) if left != other => "arguments",
            _ => "output",
        }
    }

    /// The aspect that differs, in a sentence.
    pub fn what(&self) -> &'static str {
        match self.at() {
            "result" => "the result differs",
            "arguments" => "the arguments are left in a different state",
            _ => "the output differs",
        }
    }
}
