//! Checkers that are kept from one model to the next: to read the headers of C++ again takes longer than all checks.

use lapidary_clang::{Checker, Compilation};
use std::sync::{Mutex, PoisonError};

/// One idle checker for each compilation that has been checked.
#[derive(Default)]
pub struct Checkers {
    idle: Mutex<Vec<(Compilation, Checker)>>,
}

impl Checkers {
    /// A checker that has read the unit before, if there is one.
    pub(super) fn take(&self, compilation: &Compilation) -> Checker {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        match idle.iter().position(|(known, _)| known == compilation) {
            Some(index) => idle.swap_remove(index).1,
            None => Checker::new(compilation.clone()),
        }
    }

    pub(super) fn give_back(&self, compilation: Compilation, checker: Checker) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push((compilation, checker));
    }
}
