//! Expectations: conditions that make a run interesting.

use crate::ending::{Ending, parse_signal};
use crate::process::Captured;
use regex::bytes::Regex;
use std::str::FromStr;
use thiserror::Error;

/// One condition on a run, written like `exit=1` or `stderr~internal error`.
#[derive(Clone, Debug)]
pub struct Expectation {
    text: String,
    holds: bool,
    of: Of,
}

#[derive(Clone, Debug)]
enum Of {
    Exit(ExitIs),
    Output(Source, Regex),
}

#[derive(Clone, Copy, Debug)]
enum ExitIs {
    Code(i32),
    Signal(i32),
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Stdout,
    Stderr,
    Either,
}

/// The reason for an expectation that cannot be parsed.
#[derive(Debug, Error)]
pub enum ExpectationError {
    #[error("`{0}` is not an expectation. Allowed are {ALLOWED}")]
    Syntax(String),
    #[error("`{0}`: exit takes a code from 0 to 255, a signal as in signal:11, or its name as in SEGV")]
    Exit(String),
    #[error("`{0}`: {1}")]
    Regex(String, regex::Error),
    #[error("`{0}` cannot be preserved. Allowed are exit, stdout and stderr")]
    Aspect(String),
}

const ALLOWED: &str = "exit=CODE, exit!=CODE, exit=SIGNAL (11 as signal:11 or SEGV), stdout~REGEX, stderr~REGEX, \
                       output~REGEX (either of them), and !~ in place of ~";

/// The first expectation that a run does not meet, in words. Without expectations it must exit with
/// code 0. If something is expected of the output, any code or signal is accepted unless one is
/// expected too.
pub fn unmet(expectations: &[Expectation], ending: &Ending, stdout: &Captured, stderr: &Captured) -> Option<String> {
    if expectations.is_empty() && *ending != Ending::Exited(0) {
        return Some(ending.to_string());
    }
    expectations.iter().find_map(|expectation| expectation.unmet(ending, stdout, stderr))
}

impl Expectation {
    fn unmet(&self, ending: &Ending, stdout: &Captured, stderr: &Captured) -> Option<String> {
        match &self.of {
            Of::Exit(exit) => (exit.is(ending) != self.holds).then(|| ending.to_string()),
            Of::Output(source, regex) => {
                let found = match source {
                    Source::Stdout => regex.is_match(&stdout.head),
                    Source::Stderr => regex.is_match(&stderr.head),
                    Source::Either => regex.is_match(&stdout.head) || regex.is_match(&stderr.head),
                };
                (found != self.holds).then(|| self.mismatch(source.name(), regex))
            }
        }
    }

    fn mismatch(&self, source: &str, regex: &Regex) -> String {
        let verb = if self.holds { "does not match" } else { "matches" };
        format!("{source} {verb} /{regex}/")
    }

    /// Whether the expectation is about how the run ends.
    pub fn is_about_exit(&self) -> bool {
        matches!(self.of, Of::Exit(_))
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Expectation {
    type Err = ExpectationError;

    fn from_str(text: &str) -> Result<Self, ExpectationError> {
        let syntax = || ExpectationError::Syntax(text.into());
        let operator = text.find(['!', '=', '~']).ok_or_else(syntax)?;
        let (subject, rest) = text.split_at(operator);
        let (holds, rest) = rest.strip_prefix('!').map_or((true, rest), |rest| (false, rest));
        let of = match (subject.trim(), rest.chars().next()) {
            ("exit", Some('=')) => Of::Exit(parse_exit(rest[1..].trim(), text)?),
            (name, Some('~')) => Of::Output(Source::parse(name).ok_or_else(syntax)?, parse_regex(&rest[1..], text)?),
            _ => return Err(syntax()),
        };
        Ok(Expectation { text: text.into(), holds, of })
    }
}

impl Source {
    fn parse(name: &str) -> Option<Self> {
        [Source::Stdout, Source::Stderr, Source::Either].into_iter().find(|source| source.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Source::Stdout => "stdout",
            Source::Stderr => "stderr",
            Source::Either => "output",
        }
    }
}

impl ExitIs {
    /// Compares with an ending. A shell reports death by signal n as code 128 + n, so the two count
    /// as equal.
    fn is(self, ending: &Ending) -> bool {
        let code = match self {
            ExitIs::Code(code) => code,
            ExitIs::Signal(signal) => 128 + signal,
        };
        ending.shell_code() == Some(code)
    }
}

fn parse_exit(value: &str, text: &str) -> Result<ExitIs, ExpectationError> {
    let wrong = || ExpectationError::Exit(text.into());
    if let Some(signal) = value.strip_prefix("signal:") {
        return parse_signal(signal).map(ExitIs::Signal).ok_or_else(wrong);
    }
    match value.parse() {
        Ok(code) => (0..256).contains(&code).then_some(ExitIs::Code(code)).ok_or_else(wrong),
        Err(_) => parse_signal(value).map(ExitIs::Signal).ok_or_else(wrong),
    }
}

fn parse_regex(pattern: &str, text: &str) -> Result<Regex, ExpectationError> {
    // Outputs have many lines, so ^ and $ match at line ends.
    regex::bytes::RegexBuilder::new(pattern)
        .multi_line(true)
        .build()
        .map_err(|error| ExpectationError::Regex(text.into(), error))
}

/// An aspect of a run that can be required to be the same as on the original input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The exit code, or the signal that ended the run.
    Exit,
    /// The standard output.
    Stdout,
    /// The standard error.
    Stderr,
}

/// A set of aspects, written like `exit,stderr`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preserve(pub std::collections::BTreeSet<Aspect>);

impl FromStr for Preserve {
    type Err = ExpectationError;

    fn from_str(text: &str) -> Result<Self, ExpectationError> {
        text.split(',').map(str::trim).map(parse_aspect).collect::<Result<_, _>>().map(Preserve)
    }
}

impl std::fmt::Display for Preserve {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |aspect: &Aspect| match aspect {
            Aspect::Exit => "exit",
            Aspect::Stdout => "stdout",
            Aspect::Stderr => "stderr",
        };
        f.write_str(&self.0.iter().map(name).collect::<Vec<_>>().join(","))
    }
}

fn parse_aspect(name: &str) -> Result<Aspect, ExpectationError> {
    match name {
        "exit" => Ok(Aspect::Exit),
        "stdout" => Ok(Aspect::Stdout),
        "stderr" => Ok(Aspect::Stderr),
        _ => Err(ExpectationError::Aspect(name.into())),
    }
}
