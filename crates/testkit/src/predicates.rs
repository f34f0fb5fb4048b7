//! Predicates that judge toy candidates without running anything.

use crate::ToyModel;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::sync::Mutex;

/// A predicate on the kept items that records every question.
pub struct Scripted<F> {
    answer: F,
    asked: Mutex<Vec<Vec<usize>>>,
}

impl<F: Fn(&[usize]) -> bool + Send + Sync> Scripted<F> {
    pub fn new(answer: F) -> Self {
        Scripted { answer, asked: Mutex::default() }
    }

    /// The candidates that were judged, in the order in which their judgments began.
    pub fn asked(&self) -> Vec<Vec<usize>> {
        self.asked.lock().expect("no judgment panics").clone()
    }
}

impl<F: Fn(&[usize]) -> bool + Send + Sync> Predicate for Scripted<F> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let kept = ToyModel::read(candidate);
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        self.asked.lock().expect("no judgment panics").push(kept.clone());
        Ok(match (self.answer)(&kept) {
            true => Judgment::new(Verdict::Interesting, "it is"),
            false => Judgment::new(Verdict::Uninteresting, "it is not"),
        })
    }
}

/// A predicate that is interesting if all of `all` are kept. With `odd`, the number of kept items
/// must also be odd, so that it is not monotone.
#[derive(Clone, Debug)]
pub struct Needs {
    pub all: Vec<usize>,
    pub odd: Option<usize>,
}

impl Needs {
    pub fn holds(&self, kept: &[usize]) -> bool {
        let present = self.all.iter().all(|item| kept.contains(item));
        present && self.odd.is_none_or(|salt| !(kept.len() * 7 + kept.iter().sum::<usize>() + salt).is_multiple_of(3))
    }
}
