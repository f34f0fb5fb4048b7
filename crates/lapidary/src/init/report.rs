//! The report of `Init`.

use lapidary_common::shell::quoted;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// A script that was written, and the reasons for it.
#[derive(Clone, Debug)]
pub struct InitReport {
    /// The name of the preset that recognised the failure.
    pub preset: &'static str,
    /// The recognised failure, in words.
    pub what: String,
    /// The conditions of the script, one sentence for each.
    pub asks_for: Vec<String>,
    /// The input that is to be reduced.
    pub input: PathBuf,
    /// The path of the script; none where a built-in test does the same.
    pub script: Option<PathBuf>,
    /// The text of the script.
    pub text: String,
    /// The command line of the reduction.
    pub reduce: Vec<String>,
    /// The exit code of the command, as a shell shows it; none if it did not end.
    pub exit_code: Option<i32>,
    /// How long the command took.
    pub elapsed: Duration,
    /// The exit codes of the script on the input, and on an empty input.
    pub proved: Option<Proved>,
    /// Advice that does not stop anybody.
    pub notes: Vec<String>,
}

/// The exit codes of the script in its trial runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The exit codes of the two runs on the input.
    pub input: [i32; 2],
    /// The exit code of the run on an empty input.
    pub empty: i32,
}

impl InitReport {
    /// The command line of the reduction, as a person types it.
    pub fn command_line(&self) -> String {
        self.reduce.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        json!({
            "command": "init",
            "preset": self.preset,
            "what": self.what,
            "asks_for": self.asks_for,
            "input": self.input.to_string_lossy(),
            "script": self.script.as_ref().map(|path| path.to_string_lossy()),
            "reduce": self.reduce,
            "exit_code": self.exit_code,
            "seconds": self.elapsed.as_secs_f64(),
            "proved": self.proved.map(|proved| json!({ "input": proved.input, "empty": proved.empty })),
            "notes": self.notes,
        })
    }
}
