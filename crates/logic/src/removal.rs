//! What must go when something goes, stub signatures.

use crate::{Reasoner, Var, VarSet};

/// Which premise goes when a clause loses its last conclusion and has several premises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sacrifice {
    /// The premise that comes last in the variable order.
    Last,
    /// The premise that comes first.
    First,
}

/// A solution from which variables are taken away, with all that must go with them, at a cost proportional to what goes.
pub struct Remover<'a> {
    reasoner: &'a Reasoner,
    current: VarSet,
}

impl<'a> Remover<'a> {
    /// `current` must be a solution.
    pub fn new(_reasoner: &'a Reasoner, _current: VarSet) -> Self {
        todo!()
    }

    pub fn current(&self) -> &VarSet {
        &self.current
    }

    /// `vars` and everything that must go with them so that the rest is a solution; `None` when something required would
    /// have to go. Changes nothing.
    pub fn consequences(&mut self, _vars: &[Var], _sacrifice: Sacrifice) -> Option<Vec<Var>> {
        todo!()
    }

    /// Takes away what `consequences` returned.
    pub fn commit(&mut self, _gone: &[Var]) {
        todo!()
    }
}
