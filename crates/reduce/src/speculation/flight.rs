//! The tests that are running.

use super::{Landing, News};
use crate::session::Prepared;
use crate::{Cancel, Key, Predicate, PredicateError};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread::{Builder, Scope};

/// The tests that are running. Dropping it cancels them.
pub(super) struct Flight<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    predicate: &'env dyn Predicate,
    halt: Cancel,
    /// By number.
    running: BTreeMap<u64, (Key, Cancel)>,
    /// The candidates of cancelled tests that have not ended.
    cancelled: BTreeMap<u64, Key>,
    started: u64,
    news: Sender<News>,
}

impl<'scope, 'env> Flight<'scope, 'env> {
    pub fn new(
        scope: &'scope Scope<'scope, 'env>,
        predicate: &'env dyn Predicate,
        halt: Cancel,
        news: Sender<News>,
    ) -> Self {
        Flight { scope, predicate, halt, running: BTreeMap::new(), cancelled: BTreeMap::new(), started: 0, news }
    }

    /// How many tests have not ended, cancelled ones included.
    pub fn len(&self) -> usize {
        self.running.len() + self.cancelled.len()
    }

    /// Whether a test of the candidate has not ended. If it was cancelled, it may end without an
    /// answer.
    pub fn has(&self, candidate: &Key) -> bool {
        self.running.values().any(|(key, _)| key == candidate) || self.cancelled.values().any(|key| key == candidate)
    }

    /// Starts a test.
    pub fn start(&mut self, prepared: &Prepared) {
        let cancel = self.halt.child();
        self.started += 1;
        let number = self.started;
        self.running.insert(number, (prepared.key, cancel.clone()));
        let (predicate, tree, news) = (self.predicate, prepared.tree.clone(), self.news.clone());
        let judge = move || {
            let judge = AssertUnwindSafe(|| predicate.judge(&tree, &cancel));
            let answer =
                catch_unwind(judge).unwrap_or_else(|_| Err(PredicateError::Fatal("the test runner panicked".into())));
            // The receiver is gone if the answer comes too late.
            let _ = news.send(News::Landed(Landing { number, answer }));
        };
        // If the system has no thread to spare, this one runs the test.
        if Builder::new().spawn_scoped(self.scope, judge.clone()).is_err() {
            judge();
        }
    }

    /// The candidate of a test that has ended, unless it was cancelled and has no answer.
    pub fn landed(&mut self, landing: &Landing) -> Option<Key> {
        if let Some((key, _)) = self.running.remove(&landing.number) {
            return Some(key);
        }
        let key = self.cancelled.remove(&landing.number)?;
        landing.answer.is_ok().then_some(key)
    }

    /// The candidates of tests that were not cancelled.
    pub fn candidates(&self) -> impl Iterator<Item = Key> {
        self.running.values().map(|(key, _)| *key)
    }

    /// Cancels the tests of all candidates but these.
    pub fn cancel_all_but(&mut self, is_wanted: impl Fn(&Key) -> bool) {
        self.running.retain(|number, (key, cancel)| {
            let keep = is_wanted(key);
            if !keep {
                cancel.cancel();
                self.cancelled.insert(*number, *key);
            }
            keep
        });
    }
}

impl Drop for Flight<'_, '_> {
    fn drop(&mut self) {
        self.running.values().for_each(|(_, cancel)| cancel.cancel());
    }
}
