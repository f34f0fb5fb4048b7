//! Errors that end a run without a report. What happens to a candidate is a verdict, never an
//! error.

use thiserror::Error;

/// The reason for a run without a report.
///
/// Messages name settings as the command line does: `--resume` is
/// [`Existing::Resume`](crate::Existing::Resume), `--keep` is
/// [`Reduction::keep`](crate::Reduction::keep).
#[derive(Debug, Error)]
pub enum Error {
    /// The input, an option or the environment cannot be used; the message says what to do.
    #[error("{0}")]
    BadInput(String),
    /// The test does not find the input interesting, so there is nothing to reduce.
    #[error("{explanation}")]
    NotInteresting {
        /// How the test's last run on the input ended.
        reason: String,
        /// The reason in full, with the test's output.
        explanation: String,
    },
    /// The run was stopped before there was anything to report.
    #[error("{0}")]
    Stopped(String),
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// A result with an [`enum@Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<anyhow::Error> for Error {
    /// Keeps an [`enum@Error`] as it is, and treats everything else as bad input.
    fn from(error: anyhow::Error) -> Self {
        error.downcast::<Error>().unwrap_or_else(|error| Error::BadInput(format!("{error:#}")))
    }
}
