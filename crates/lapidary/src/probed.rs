//! Remembers the answers to probes before the search, which the search may ask for again.

use lapidary_reduce::{Cancel, FileTree, Judgment, Key, Predicate, PredicateError};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A test with the answers of its probes.
pub(crate) struct Probed<'a> {
    test: &'a dyn Predicate,
    known: Mutex<HashMap<Key, Judgment>>,
}

impl<'a> Probed<'a> {
    pub fn new(test: &'a dyn Predicate) -> Self {
        Probed { test, known: Mutex::default() }
    }

    /// A predicate whose answers are remembered.
    pub fn probes(&self) -> Probes<'_, 'a> {
        Probes(self)
    }

    fn known(&self, candidate: &FileTree) -> Option<Judgment> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&candidate.key()).cloned()
    }
}

impl Predicate for Probed<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        self.known(candidate).map_or_else(|| self.test.judge(candidate, cancel), Ok)
    }
}

/// The probes of a test.
pub(crate) struct Probes<'p, 'a>(&'p Probed<'a>);

impl Predicate for Probes<'_, '_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let judgment = self.0.judge(candidate, cancel)?;
        if !judgment.disturbed {
            let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(candidate.key(), judgment.clone());
        }
        Ok(judgment)
    }
}
