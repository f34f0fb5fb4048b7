//! Interruption of queries from outside, because a user stops the run or its time is over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A flag shared by the code that asks queries and the code that may interrupt them. Clones share
/// one flag. Once it is set, every later query immediately answers "unknown".
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    is_set: AtomicBool,
    /// The action that interrupts the current query.
    end: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Interrupt {
    /// Interrupts the current query and all later ones.
    pub fn set(&self) {
        self.0.is_set.store(true, Ordering::SeqCst);
        if let Some(end) = &*self.end() {
            end();
        }
    }

    /// Allows queries again.
    pub fn clear(&self) {
        self.0.is_set.store(false, Ordering::SeqCst);
    }

    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// Runs `work`, during which another thread may call `end` to interrupt it. `None` if the flag
    /// is already set.
    pub(crate) fn during<T>(&self, end: impl Fn() + Send + 'static, work: impl FnOnce() -> T) -> Option<T> {
        let mut present = self.end();
        if self.0.is_set.load(Ordering::SeqCst) {
            return None;
        }
        *present = Some(Box::new(end));
        drop(present);
        let done = work();
        *self.end() = None;
        Some(done)
    }

    fn end(&self) -> MutexGuard<'_, Option<Box<dyn Fn() + Send>>> {
        self.0.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn work_is_ended_from_another_thread_and_not_begun_again() {
        let interrupt = Interrupt::default();
        let (send, receive) = channel();
        let other = interrupt.clone();
        let ended = interrupt.during(
            move || send.send(()).expect("somebody waits"),
            || {
                std::thread::spawn(move || other.set());
                receive.recv().is_ok()
            },
        );
        assert_eq!(ended, Some(true));
        assert!(interrupt.is_set());
        assert_eq!(interrupt.during(|| (), || ()), None);
        interrupt.clear();
        assert_eq!(interrupt.during(|| (), || ()), Some(()));
    }
}
