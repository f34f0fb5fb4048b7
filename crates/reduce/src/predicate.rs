//! "Does it still fail?": the question a reduction asks of the outside world.

use crate::FileTree;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The failure is still there.
    Interesting,
    /// It is not.
    Uninteresting,
    /// The test could not tell: it timed out, was killed, or broke a limit. Treated as not interesting.
    Unresolved,
}

/// A verdict and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgment {
    pub verdict: Verdict,
    /// In words, for the journal: "exit code 0", "timed out after 3 s".
    pub reason: String,
    pub timed_out: bool,
    pub elapsed: Duration,
}

impl Judgment {
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Judgment { verdict, reason: reason.into(), timed_out: false, elapsed: Duration::ZERO }
    }

    pub fn is_interesting(&self) -> bool {
        self.verdict == Verdict::Interesting
    }
}

/// Why there is no judgment. A bad candidate is a verdict, never an error.
#[derive(Debug, Error)]
pub enum PredicateError {
    #[error("cancelled")]
    Cancelled,
    /// The run cannot go on: the disk is full, the test cannot be started.
    #[error("{0}")]
    Fatal(String),
}

pub trait Predicate: Send + Sync {
    /// Judges one candidate. Called from several threads at once. When `cancel` fires the answer is no longer wanted:
    /// clean up and return [`PredicateError::Cancelled`] as soon as possible.
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError>;
}

/// A request to stop that can be waited for by callback. Clones share the request.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<CancelState>>);

#[derive(Default)]
struct CancelState {
    cancelled: bool,
    callbacks: Vec<Box<dyn FnOnce() + Send>>,
}

impl Cancel {
    pub fn new() -> Self {
        Cancel::default()
    }

    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Asks everybody who holds a clone to stop.
    pub fn cancel(&self) {
        let callbacks = {
            let mut state = self.lock();
            state.cancelled = true;
            std::mem::take(&mut state.callbacks)
        };
        callbacks.into_iter().for_each(|callback| callback());
    }

    /// Calls `callback` once on cancellation, at once if it has already happened.
    pub fn on_cancel(&self, callback: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        if state.cancelled {
            drop(state);
            callback();
        } else {
            state.callbacks.push(Box::new(callback));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CancelState> {
        self.0.lock().expect("no callback panics while the lock is held")
    }
}
