//! Why a farm cannot be started, found or taken down.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A reason why a farm cannot be started, found or taken down.
#[derive(Debug, Error)]
pub enum FarmError {
    /// A program is not installed.
    #[error("a farm on this machine needs {what}: {advice}")]
    Missing {
        /// The missing program.
        what: &'static str,
        /// How to install the program.
        advice: String,
    },
    /// There is a farm in the directory, and it is running.
    #[error("the farm in {0} is running already, at {1}")]
    Running(PathBuf, String),
    /// There is no farm in the directory.
    #[error("there is no farm in {0}: start one with `lapidary farm up`")]
    None(PathBuf),
    /// The directory holds other files, or belongs to somebody else.
    #[error("{0} {1}: name an empty or new directory with --dir")]
    Occupied(PathBuf, &'static str),
    /// The server cannot listen on the port.
    #[error("port {0} of 127.0.0.1 cannot be used: {1}; choose another one with --port, or none")]
    Port(u16, io::Error),
    /// A file or directory of the farm cannot be written or read.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A program ended with an error or did not become ready.
    #[error("{name} did not start: {problem}{}", end_of(log))]
    Start {
        /// The part of the farm that did not start.
        name: String,
        /// The way in which the part failed.
        problem: String,
        /// The file with the messages of the part.
        log: PathBuf,
    },
    /// The farm has no part of this name.
    #[error("the farm has no part called {0}")]
    NoPart(String),
}

impl FarmError {
    /// Wraps an I/O error with the path of the file.
    pub(crate) fn file(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> FarmError {
        move |error| FarmError::File(path.as_ref().to_owned(), error)
    }
}

/// The last lines of a log.
fn end_of(log: &Path) -> String {
    const LINES: usize = 8;
    let bytes = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let end = lines[lines.len().saturating_sub(LINES)..].join("\n  ");
    if end.is_empty() { String::new() } else { format!("\n  {end}") }
}
