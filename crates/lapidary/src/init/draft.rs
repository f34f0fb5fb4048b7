//! A script before it is written: paragraphs of shell, each with the sentence that explains it.

use super::call::Call;
use super::lab::locale;
use super::shell::literal;
use std::time::Duration;

/// A script before it is written.
pub struct Draft {
    pub preset: &'static str,
    /// The recognised failure, in words.
    pub what: String,
    pub settings: Vec<Setting>,
    pub paragraphs: Vec<Paragraph>,
    /// Advice for the user.
    pub notes: Vec<String>,
}

impl Draft {
    pub fn new(preset: &'static str, what: impl Into<String>, call: &Call) -> Self {
        let language =
            Setting::new("LC_ALL", locale(call.tool()), "Messages in English, whatever the machine's language.");
        Draft { preset, what: what.into(), settings: vec![language], paragraphs: Vec::new(), notes: Vec::new() }
    }

    /// The sentences about what must hold.
    pub fn asks_for(&self) -> Vec<String> {
        let conditions = self.paragraphs.iter().filter(|paragraph| paragraph.is_condition);
        conditions.map(|paragraph| paragraph.why.clone()).collect()
    }
}

/// A variable of the environment.
pub struct Setting {
    pub name: &'static str,
    pub value: String,
    pub why: String,
}

impl Setting {
    pub fn new(name: &'static str, value: impl Into<String>, why: impl Into<String>) -> Self {
        Setting { name, value: value.into(), why: why.into() }
    }
}

/// Some lines of the script with their explanation.
pub struct Paragraph {
    pub why: String,
    pub lines: Vec<String>,
    pub is_condition: bool,
}

/// The streams of a command that a script looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    Stderr,
    Stdout,
    Both,
}

impl Paragraph {
    /// Lines that do something.
    pub fn step(why: impl Into<String>, lines: Vec<String>) -> Self {
        Paragraph { why: why.into(), lines, is_condition: false }
    }

    /// Lines that end the script unless something holds.
    pub fn condition(why: impl Into<String>, line: String) -> Self {
        Paragraph { why: why.into(), lines: vec![line], is_condition: true }
    }

    /// Runs a command line and keeps what it prints in a variable, with the exit code at the end.
    pub fn run(variable: &str, line: &str, streams: Streams, limit: u64, why: &str) -> Self {
        let kept = match streams {
            Streams::Stderr => " 2>&1 >/dev/null",
            Streams::Stdout => " 2>/dev/null",
            Streams::Both => " 2>&1",
        };
        let line =
            format!("{variable}=$({{ timeout {limit} {line}{kept}; echo \"[exit code $?]\"; }} | head -c {MOST})");
        Paragraph::step(why, vec![line])
    }

    /// The pieces must be in the variable, in this order.
    pub fn text(variable: &str, pieces: &[String], why: impl Into<String>) -> Self {
        let pattern: Vec<String> = pieces.iter().map(|piece| literal(piece)).collect();
        Paragraph::condition(why, format!("case ${variable} in *{}*) ;; *) exit 1 ;; esac", pattern.join("*")))
    }

    /// The variable must end with this exit code.
    pub fn exit_code(variable: &str, code: i32, why: impl Into<String>) -> Self {
        Paragraph::condition(why, format!("case ${variable} in *'[exit code {code}]') ;; *) exit 1 ;; esac"))
    }

    /// The variable must match an extended regular expression.
    pub fn matches(variable: &str, regex: &str, why: impl Into<String>) -> Self {
        Paragraph::condition(why, format!("printf '%s\\n' \"${variable}\" | grep -Eq -e {} || exit 1", literal(regex)))
    }

    /// The variable must not match an extended regular expression.
    pub fn lacks(variable: &str, regex: &str, why: impl Into<String>) -> Self {
        let line = format!("if printf '%s\\n' \"${variable}\" | grep -Eq -e {}; then exit 1; fi", literal(regex));
        Paragraph::condition(why, line)
    }
}

/// The bytes of output that a script looks at. A test that prints without end is cut off there.
const MOST: u64 = 4_000_000;

/// The seconds that a script gives a command which took so long: enough for a busy machine.
pub fn limit(elapsed: Duration) -> u64 {
    let generous = 10.0 + 20.0 * elapsed.as_secs_f64();
    (generous / 10.0).ceil() as u64 * 10
}

/// Quotes a message for a sentence.
pub fn shown(pieces: &[String]) -> String {
    pieces.iter().map(|piece| format!("`{piece}`")).collect::<Vec<_>>().join(" … ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_generous_and_whole() {
        assert_eq!([0.01, 0.4, 1.0, 60.0].map(|secs| limit(Duration::from_secs_f64(secs))), [20, 20, 30, 1210]);
    }
}
