//! A difference that random testing alone has found.

use super::Shown;
use lapidary_compare::Compared;
use lapidary_symbolic::{Input, Number, Observed};

pub struct FoundAtRandom<'a> {
    pub inputs: &'a [Input<Number>],
    pub old: &'a Observed,
    pub new: &'a Observed,
}

impl<'a> Shown<'a> {
    /// What random testing has found, where there is nothing better.
    pub fn found_at_random(&self) -> Option<FoundAtRandom<'a>> {
        match self.random {
            Ok(Compared { found: Some((inputs, old, new)), .. }) if self.comparison.difference.is_none() => {
                Some(FoundAtRandom { inputs, old, new })
            }
            _ => None,
        }
    }
}

impl FoundAtRandom<'_> {
    /// What differs, for programs.
    pub fn at(&self) -> &'static str {
        match (self.old, self.new) {
            (Observed::Seen { ending, .. }, Observed::Seen { ending: other, .. }) if ending != other => "result",
            (Observed::Seen { left, .. }, Observed::Seen { left: other, .. }) if left != other => "arguments",
            _ => "output",
        }
    }

    /// The same for people.
    pub fn what(&self) -> &'static str {
        match self.at() {
            "result" => "the result differs",
            "arguments" => "the arguments are left in another state",
            _ => "what is printed differs",
        }
    }
}
