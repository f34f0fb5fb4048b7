//! Ending questions from outside, at once: a user stops the run, or its time is over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared by whoever asks questions and whoever may end them; clones are one and the same. Once it is set, every later question
/// is unknown at once.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    is_set: AtomicBool,
    /// How to end the question that is being answered.
    end: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Interrupt {
    /// Ends the question that is being answered, and all that come.
    pub fn set(&self) {
        self.0.is_set.store(true, Ordering::SeqCst);
        if let Some(end) = &*self.end() {
            end();
        }
    }

    /// Lets questions be asked again.
    pub fn clear(&self) {
        self.0.is_set.store(false, Ordering::SeqCst);
    }

    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// Does something that `end` ends from another thread; not at all if it is too late.
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
