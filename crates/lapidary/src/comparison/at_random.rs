//! A difference that only random testing found.

use super::report::ComparisonReport;
use super::words::printed;
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
    /// The aspect that differs: `ending`, `result`, `arguments` or `output`.
    pub fn at(&self) -> &'static str {
        match (self.old, self.new) {
            (Observed::Seen { ending, .. }, Observed::Seen { ending: other, .. }) if kind(ending) != kind(other) => {
                "ending"
            }
            (Observed::Seen { ending, .. }, Observed::Seen { ending: other, .. }) if ending != other => "result",
            (Observed::Seen { left, .. }, Observed::Seen { left: other, .. }) if left != other => "arguments",
            (Observed::Seen { .. }, Observed::Seen { .. }) => "output",
            _ => "ending",
        }
    }

    /// The aspect that differs, in a sentence.
    pub fn what(&self) -> &'static str {
        match (self.at(), self.old) {
            ("ending", _) => "the call ends differently",
            ("result", Observed::Seen { ending, .. }) if ending.starts_with("threw ") => {
                "the message of the exception differs"
            }
            ("result", _) => "the result differs",
            ("arguments", _) => "the arguments are left in a different state",
            _ => "the output differs",
        }
    }

    /// The behaviour of both versions, in words.
    pub(crate) fn seen_in_words(&self) -> [String; 2] {
        match (self.old, self.new) {
            (
                Observed::Seen { stdout, stderr, .. },
                Observed::Seen { stdout: other_stdout, stderr: other_stderr, .. },
            ) => {
                let [old, new] = printed([stdout, other_stdout], [stderr, other_stderr]);
                [self.old.ending() + &old, self.new.ending() + &new]
            }
            (old, new) => [old.to_string(), new.to_string()],
        }
    }
}

/// Whether a call returned, or the class of the exception that it threw.
fn kind(ending: &str) -> &str {
    match ending.starts_with("threw ") {
        true => ending.split(": ").next().unwrap_or(ending),
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(ending: &str, stdout: &str) -> Observed {
        let (ending, stdout) = (ending.to_owned(), stdout.to_owned());
        Observed::Seen { ending, left: String::new(), stdout, stderr: String::new() }
    }

    #[test]
    fn a_difference_is_called_by_what_differs() {
        let what = |old: &Observed, new: &Observed| FoundAtRandom { inputs: &[], old, new }.what();
        let (zero, one) = (seen("returned 0", ""), seen("returned 1", ""));
        let threw = |class: &str, message: &str| seen(&format!("threw java.lang.{class}: {message}"), "");
        assert_eq!(what(&zero, &one), "the result differs");
        assert_eq!(what(&zero, &threw("Error", "a")), "the call ends differently");
        assert_eq!(what(&threw("Error", "a"), &threw("Exception", "a")), "the call ends differently");
        assert_eq!(what(&threw("Error", "a"), &threw("Error", "b")), "the message of the exception differs");
        assert_eq!(what(&zero, &Observed::TooLong), "the call ends differently");
        assert_eq!(what(&zero, &seen("returned 0", "x")), "the output differs");
    }

    #[test]
    fn output_that_differs_is_told() {
        let (old, new) = (seen("returned 0", "a\n"), seen("returned 0", ""));
        let told = FoundAtRandom { inputs: &[], old: &old, new: &new }.seen_in_words();
        assert_eq!(told, ["returned 0 and prints \"a\"", "returned 0 and prints nothing"]);
    }
}
