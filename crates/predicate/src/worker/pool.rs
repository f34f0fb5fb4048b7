//! The workers that are alive and not being asked anything.

use super::process::Worker;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// As many workers as there were judgments at once.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Worker>>);

impl Pool {
    /// A worker to ask: rather the one that was asked last and owes nothing, since it is the warmest.
    pub fn take(&self) -> Option<Worker> {
        let mut workers = self.workers();
        let free = workers.iter().rposition(|worker| !worker.owes_an_answer());
        let index = free.or_else(|| (!workers.is_empty()).then_some(0))?;
        Some(workers.remove(index))
    }

    pub fn put(&self, worker: Worker) {
        self.workers().push(worker);
    }

    /// Ends all of them.
    pub fn clear(&self) {
        let workers = std::mem::take(&mut *self.workers());
        drop(workers);
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
