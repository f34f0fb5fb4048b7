//! The end of queries: for good when the run is cancelled, for a while when a phase's time is over.

use lapidary_common::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared by the code that asks queries and the code that may end them. Once it is in force, the
/// query under way is interrupted and every later one immediately answers "unknown".
///
/// It differs from a [`Cancel`] in that it can be lifted: a run has phases, each with its own time,
/// and the solver serves them all. The request to cancel the run cannot be lifted.
#[derive(Clone, Default)]
pub struct Curfew(Arc<Shared>);

#[derive(Default)]
struct Shared {
    run: Cancel,
    is_imposed: AtomicBool,
    /// The action that interrupts the current query.
    end: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Curfew {
    /// Ends queries when the run is cancelled.
    pub fn of(run: &Cancel) -> Curfew {
        // A child, so that the run does not remember every curfew there ever was.
        let shared = Arc::new(Shared { run: run.child(), ..Shared::default() });
        let held = Arc::downgrade(&shared);
        shared.run.on_cancel(move || held.upgrade().into_iter().for_each(|shared| shared.end_query()));
        Curfew(shared)
    }

    /// Ends the current query and all later ones, until the curfew is lifted.
    pub fn impose(&self) {
        self.0.is_imposed.store(true, Ordering::SeqCst);
        self.0.end_query();
    }

    /// Allows queries again, unless the run is cancelled.
    pub fn lift(&self) {
        self.0.is_imposed.store(false, Ordering::SeqCst);
    }

    /// Whether no query may be asked.
    pub fn is_in_force(&self) -> bool {
        self.0.is_imposed.load(Ordering::SeqCst) || self.0.run.is_cancelled()
    }

    /// Runs `work`, during which another thread may call `end` to interrupt it. `None` if the
    /// curfew is already in force.
    pub(crate) fn during<T>(&self, end: impl Fn() + Send + 'static, work: impl FnOnce() -> T) -> Option<T> {
        let mut present = self.0.end();
        if self.is_in_force() {
            return None;
        }
        *present = Some(Box::new(end));
        drop(present);
        let done = work();
        *self.0.end() = None;
        Some(done)
    }
}

impl Shared {
    fn end_query(&self) {
        if let Some(end) = &*self.end() {
            end();
        }
    }

    fn end(&self) -> MutexGuard<'_, Option<Box<dyn Fn() + Send>>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Asks a query that lasts until `end` is called from another thread.
    fn ended_by(curfew: &Curfew, end: impl FnOnce() + Send + 'static) -> Option<bool> {
        let (send, receive) = channel();
        curfew.during(
            move || send.send(()).expect("the query waits"),
            || {
                std::thread::spawn(end);
                receive.recv().is_ok()
            },
        )
    }

    #[test]
    fn work_is_ended_from_another_thread_and_begins_again_after_the_curfew() {
        let curfew = Curfew::default();
        let other = curfew.clone();
        assert_eq!(ended_by(&curfew, move || other.impose()), Some(true));
        assert!(curfew.is_in_force());
        assert_eq!(curfew.during(|| (), || ()), None);
        curfew.lift();
        assert_eq!(curfew.during(|| (), || ()), Some(()));
    }

    #[test]
    fn a_cancelled_run_stays_cancelled_when_the_curfew_is_lifted() {
        let run = Cancel::new();
        let curfew = Curfew::of(&run);
        assert_eq!(ended_by(&curfew, move || run.cancel()), Some(true));
        curfew.impose();
        curfew.lift();
        assert!(curfew.is_in_force());
        assert_eq!(curfew.during(|| (), || ()), None);
    }
}
