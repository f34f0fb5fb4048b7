//! Minimal solutions and progressions over one formula (PLDI 2021, appendix B), stub signatures.

use crate::{Cnf, Var, VarSet, VariableOrder};

/// A formula prepared for many questions.
pub struct Reasoner {
    cnf: Cnf,
    order: VariableOrder,
}

/// Disjoint sets whose every prefix, united, is a solution.
pub struct Progression {
    universe: usize,
    vars: Vec<Var>,
    ends: Vec<usize>,
}

impl Progression {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn set(&self, _index: usize) -> &[Var] {
        todo!()
    }

    /// The union of sets `0..=last`.
    pub fn prefix(&self, _last: usize) -> VarSet {
        todo!()
    }
}

impl Reasoner {
    pub fn new(_cnf: &Cnf) -> Self {
        todo!()
    }

    pub fn with_order(_cnf: &Cnf, _order: VariableOrder) -> Self {
        todo!()
    }

    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    pub fn order(&self) -> &VariableOrder {
        &self.order
    }

    /// MSA: a small solution inside `within` that contains `required`. `within` must be a solution and contain `required`.
    pub fn minimal_solution(&self, _within: &VarSet, _required: &[Var]) -> VarSet {
        todo!()
    }

    /// PROGRESSION(learned, within).
    pub fn progression(&self, _learned: &[Vec<Var>], _within: &VarSet) -> Progression {
        todo!()
    }

    /// `keep` (over the first `items` variables) extended by auxiliary variables to a solution, if there is one.
    pub fn complete(&self, _keep: &VarSet, _items: usize) -> Option<VarSet> {
        todo!()
    }
}
