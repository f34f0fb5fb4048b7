//! Predicates: they answer whether a candidate still fails.

use crate::FileTree;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;
use thiserror::Error;

/// The answer of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The failure is still there.
    Interesting,
    /// The failure is gone.
    Uninteresting,
    /// The test could not tell: it timed out, was killed, or exceeded a limit. Treated as not
    /// interesting.
    Unresolved,
}

/// A verdict with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// The answer.
    pub verdict: Verdict,
    /// The reason in words, for the journal: "exit code 0", "timed out after 3 s".
    pub reason: String,
    /// Whether the test was ended because it took too long.
    pub timed_out: bool,
    /// Whether the run was ended from outside, as the system does when memory runs out. The verdict
    /// then says nothing about the candidate, and a resumed run tests it again.
    pub disturbed: bool,
    /// How long the test took, summed over its runs.
    pub elapsed: Duration,
}

impl Judgment {
    /// A judgment that took no time.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Judgment { verdict, reason: reason.into(), timed_out: false, disturbed: false, elapsed: Duration::ZERO }
    }

    /// Whether the failure is still there.
    pub fn is_interesting(&self) -> bool {
        self.verdict == Verdict::Interesting
    }
}

/// Why there is no judgment. A bad candidate is a verdict, never an error.
#[derive(Debug, Error)]
pub enum PredicateError {
    /// The test was cancelled before it answered.
    #[error("cancelled")]
    Cancelled,
    /// The run cannot go on: the disk is full, the test cannot be started.
    #[error("{0}")]
    Fatal(String),
}

/// Tells whether a candidate still fails.
pub trait Predicate: Send + Sync {
    /// Judges one candidate. Called from several threads at once. When `cancel` fires, the answer
    /// is no longer needed: clean up and return [`PredicateError::Cancelled`] as soon as possible.
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError>;
}

/// A request to stop. Clones share the request. Cancelling a parent cancels its children;
/// cancelling a child leaves the parent alone.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<CancelState>>);

#[derive(Default)]
struct CancelState {
    cancelled: bool,
    callbacks: Vec<Box<dyn FnOnce() + Send>>,
    children: Vec<Weak<Mutex<CancelState>>>,
}

impl Cancel {
    /// Creates a request that has not been made yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// A separate request that also fires when this one does. It costs nothing once it is dropped.
    pub fn child(&self) -> Cancel {
        let child = Cancel::new();
        let mut state = self.lock();
        if state.cancelled {
            drop(state);
            child.cancel();
        } else {
            state.children.retain(|other| other.strong_count() > 0);
            state.children.push(Arc::downgrade(&child.0));
        }
        child
    }

    /// A handle that does not keep the request alive.
    pub(crate) fn downgrade(&self) -> WeakCancel {
        WeakCancel(Arc::downgrade(&self.0))
    }

    /// Whether the request was made.
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Asks all holders of a clone or a child to stop.
    pub fn cancel(&self) {
        let (callbacks, children) = {
            let mut state = self.lock();
            state.cancelled = true;
            (std::mem::take(&mut state.callbacks), std::mem::take(&mut state.children))
        };
        callbacks.into_iter().for_each(|callback| callback());
        children.iter().filter_map(Weak::upgrade).for_each(|child| Cancel(child).cancel());
    }

    /// Calls `callback` once on cancellation, or immediately if this request is already cancelled.
    pub fn on_cancel(&self, callback: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        if state.cancelled {
            drop(state);
            callback();
        } else {
            state.callbacks.push(Box::new(callback));
        }
    }

    fn lock(&self) -> MutexGuard<'_, CancelState> {
        self.0.lock().expect("no callback runs while the lock is held")
    }
}

/// A handle to a request to stop that does not keep it alive.
pub(crate) struct WeakCancel(Weak<Mutex<CancelState>>);

impl WeakCancel {
    pub fn upgrade(&self) -> Option<Cancel> {
        self.0.upgrade().map(Cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_child_is_cancelled_with_its_parent_and_not_the_other_way_round() {
        let fired = Arc::new(AtomicU32::new(0));
        let parent = Cancel::new();
        let (first, second) = (parent.child(), parent.child());
        let count = fired.clone();
        second.on_cancel(move || _ = count.fetch_add(1, Ordering::SeqCst));
        first.cancel();
        assert!(!parent.is_cancelled() && !second.is_cancelled());
        parent.cancel();
        assert!(second.is_cancelled() && parent.child().is_cancelled());
        assert_eq!(fired.load(Ordering::SeqCst), 1);
    }
}
