//! Propositional logic for reduction: which sub-inputs are valid, and which valid ones to try.
//!
//! Everything here is pure. A formula is a [`Cnf`] in implicative positive form; an assignment is a [`VarSet`].

mod cnf;
mod completion;
mod index;
mod order;
mod reasoner;
mod removal;
mod var;

pub use cnf::{Clause, Cnf, NotImplicative};
pub use order::VariableOrder;
pub use reasoner::{Progression, Reasoner};
pub use removal::{Remover, Sacrifice};
pub use var::{Var, VarSet};
