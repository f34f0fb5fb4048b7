//! The idle workers.

use super::process::Worker;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Idle workers. There are at most as many workers as there were concurrent judgments.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Worker>>);

impl Pool {
    /// Takes a worker, preferably the last used one that owes no answer, since it is the warmest.
    pub fn take(&self) -> Option<Worker> {
        let mut workers = self.workers();
        let free = workers.iter().rposition(|worker| !worker.owes_an_answer());
        let index = free.or_else(|| (!workers.is_empty()).then_some(0))?;
        Some(workers.remove(index))
    }

    pub fn put(&self, worker: Worker) {
        self.workers().push(worker);
    }

    /// Ends all idle workers.
    pub fn clear(&self) {
        let workers = std::mem::take(&mut *self.workers());
        drop(workers);
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
