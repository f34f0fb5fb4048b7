//! A failing command, as it was seen.

use super::call::Call;
use super::lab::{Lab, Run};
use super::steady;
use regex::{Captures, Regex};

/// The command, its first run, and the means to run it again.
pub struct Seen<'a> {
    pub call: &'a Call,
    pub run: &'a Run,
    pub lab: &'a Lab,
    /// Standard error, then standard output.
    pub output: String,
}

impl<'a> Seen<'a> {
    pub fn new(call: &'a Call, run: &'a Run, lab: &'a Lab) -> Self {
        Seen { call, run, lab, output: format!("{}\n{}", run.stderr, run.stdout) }
    }

    /// Whether the command ended as if nothing was wrong.
    pub fn succeeded(&self) -> bool {
        self.run.ending.shell_code() == Some(0)
    }

    /// The first match of a pattern in the output.
    pub fn find(&self, pattern: &str) -> Option<Captures<'_>> {
        self::pattern(pattern).captures(&self.output)
    }

    /// The first of the patterns that the output matches, as the steady pieces of what its group
    /// `keep` (or the whole match) says.
    pub fn first_of(&self, patterns: &[&str]) -> Option<Vec<String>> {
        let steady = |pattern: &&str| {
            let found = self.find(pattern)?;
            let kept = found.name("keep").or_else(|| found.get(0))?;
            Some(self.steady(kept.as_str())).filter(|pieces| !pieces.is_empty())
        };
        patterns.iter().find_map(steady)
    }

    /// The parts of a message that do not change with the input.
    pub fn steady(&self, message: &str) -> Vec<String> {
        let names = self.call.names();
        steady::pieces(message, &names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The steady pieces of the line that says most about the failure.
    pub fn telling_line(&self) -> Option<Vec<String>> {
        /// Words of messages, the most telling first.
        const WORDS: [&str; 6] = [
            r"(?i)internal error|internal compiler|assert|panic|traceback|unreachable|segmentation|abort",
            r"(?i)fatal|exception|uncaught|unhandled",
            r"(?i)\berrors?\b|error:|\w(Error|Exception)\b",
            r"(?i)fail|cannot|can't|could not|unable|invalid|illegal|undefined|unexpected|not found|no such|denied",
            r"(?i)\bbug\b|warn|\bbad\b|wrong|unknown|missing|expected",
            r"\w",
        ];
        let is_frame = |line: &&str| !(line.trim_start().starts_with("at ") || line.trim_start().starts_with('#'));
        WORDS.iter().find_map(|words| {
            let words = pattern(words);
            let lines = self.output.lines().filter(is_frame).filter(|line| words.is_match(line));
            lines.map(|line| self.steady(line)).find(|pieces| !pieces.is_empty())
        })
    }
}

/// A pattern of ours, which is valid.
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of ours")
}
