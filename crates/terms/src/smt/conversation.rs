//! A conversation with an SMT solver, wherever it runs.

use std::path::PathBuf;
use thiserror::Error;

/// Why an SMT solver cannot be used or gave no answer.
#[derive(Debug, Error)]
pub enum SolverError {
    #[error(
        "no SMT solver was found (looked for {}): run `scripts/setup symbolic`, or `apt install libz3-4`; \
         $LAPIDARY_Z3 names a library elsewhere, $LAPIDARY_SOLVER a command",
        tried.join(", ")
    )]
    NotFound { tried: Vec<String> },
    #[error("cannot use the library {}: {reason}", path.display())]
    Library { path: PathBuf, reason: String },
    #[error("cannot run the solver `{command}`: {reason}")]
    Command { command: String, reason: String },
    #[error("the question was interrupted")]
    Interrupted,
    #[error("the solver was killed")]
    Killed,
    #[error("{0}")]
    Broken(String),
}

/// A solver that executes SMT-LIB 2 commands and keeps their state.
pub trait Conversation: Send {
    /// Sends commands and returns their output.
    fn ask(&mut self, commands: &str) -> Result<String, SolverError>;
}
