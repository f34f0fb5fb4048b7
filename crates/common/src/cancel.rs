//! Requests to stop, which reach everything that runs on behalf of the one who asks.

use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A request to stop, which is made once and never taken back. Clones share the request. Cancelling
/// a parent cancels its children; cancelling a child leaves the parent alone.
///
/// ```
/// use lapidary_common::Cancel;
///
/// let run = Cancel::new();
/// let (one, other) = (run.child(), run.child());
/// one.cancel();
/// assert!(one.is_cancelled() && !other.is_cancelled());
/// run.cancel();
/// assert!(other.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<Request>);

#[derive(Default)]
struct Request {
    /// Set while `waiting` is locked, so that nobody begins to wait for a request already made.
    is_made: AtomicBool,
    waiting: Mutex<Waiting>,
}

/// Those who hear of the request.
#[derive(Default)]
struct Waiting {
    callbacks: Vec<Box<dyn FnOnce() + Send>>,
    children: Vec<Weak<Request>>,
}

impl Cancel {
    /// Creates a request that has not been made yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// A separate request that also fires when this one does. It costs nothing once it is dropped.
    pub fn child(&self) -> Cancel {
        let child = Cancel::new();
        let mut waiting = self.waiting();
        if self.is_cancelled() {
            drop(waiting);
            child.cancel();
        } else {
            waiting.children.retain(|other| other.strong_count() > 0);
            waiting.children.push(Arc::downgrade(&child.0));
        }
        child
    }

    /// Whether the request was made.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_made.load(Ordering::Acquire)
    }

    /// Asks all holders of a clone or a child to stop.
    pub fn cancel(&self) {
        let Waiting { callbacks, children } = {
            let mut waiting = self.waiting();
            self.0.is_made.store(true, Ordering::Release);
            take(&mut *waiting)
        };
        callbacks.into_iter().for_each(|callback| callback());
        children.iter().filter_map(Weak::upgrade).for_each(|child| Cancel(child).cancel());
    }

    /// Cancels at the deadline, unless every clone is gone by then.
    pub fn cancel_at(&self, deadline: Instant) {
        const LOOK: Duration = Duration::from_millis(200);
        let request = Arc::downgrade(&self.0);
        // If the system has no thread to spare, callers notice the deadline between two steps.
        let _ = std::thread::Builder::new().spawn(move || {
            while let Some(remaining) = deadline.checked_duration_since(Instant::now()) {
                std::thread::sleep(remaining.min(LOOK));
                if request.strong_count() == 0 {
                    return;
                }
            }
            request.upgrade().into_iter().for_each(|request| Cancel(request).cancel());
        });
    }

    /// Calls `callback` once on cancellation, or immediately if this request is already cancelled.
    pub fn on_cancel(&self, callback: impl FnOnce() + Send + 'static) {
        let mut waiting = self.waiting();
        if self.is_cancelled() {
            drop(waiting);
            callback();
        } else {
            waiting.callbacks.push(Box::new(callback));
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // No callback runs while the lock is held, so nothing is half done after a panic.
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::sync::mpsc::channel;

    #[test]
    fn cancelling_a_parent_cancels_its_children_and_not_conversely() {
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

    #[test]
    fn a_callback_is_called_once_even_if_it_comes_late() {
        let (send, receive) = channel();
        let cancel = Cancel::new();
        cancel.cancel();
        cancel.on_cancel(move || send.send(()).expect("the test waits"));
        cancel.cancel();
        assert_eq!(receive.iter().count(), 1);
    }

    #[test]
    fn a_request_is_made_at_its_deadline() {
        let (send, receive) = channel();
        let cancel = Cancel::new();
        cancel.on_cancel(move || send.send(()).expect("the test waits"));
        cancel.cancel_at(Instant::now() + Duration::from_millis(5));
        receive.recv().expect("the request is made");
        assert!(cancel.is_cancelled());
    }
}
