//! An oracle that answers from a function and records every question in order, including repeated
//! ones.

use lapidary_logic::VarSet;
use lapidary_reduce::{Oracle, Stop};

/// An oracle that answers with a closure and records the candidates.
pub struct Recorder<F> {
    answer: F,
    pub asked: Vec<VarSet>,
}

impl<F: FnMut(&VarSet) -> bool> Recorder<F> {
    pub fn new(answer: F) -> Self {
        Recorder { answer, asked: Vec::new() }
    }
}

impl<F: FnMut(&VarSet) -> bool> Oracle for Recorder<F> {
    fn test(&mut self, keep: &VarSet) -> Result<bool, Stop> {
        self.asked.push(keep.clone());
        Ok((self.answer)(keep))
    }
}
