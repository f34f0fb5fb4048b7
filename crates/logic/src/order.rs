//! The variable order, stub signatures.

use crate::{Cnf, Var};

/// A total order of the variables.
#[derive(Clone, Debug)]
pub struct VariableOrder {
    sequence: Vec<Var>,
    rank: Vec<u32>,
}

impl VariableOrder {
    /// Reverse post-order of the transposed graph.
    pub fn of(_cnf: &Cnf) -> Self {
        todo!()
    }

    pub fn from_sequence(_sequence: Vec<Var>) -> Self {
        todo!()
    }

    pub fn rank(&self, var: Var) -> u32 {
        self.rank[var.index()]
    }

    pub fn sequence(&self) -> &[Var] {
        &self.sequence
    }
}
