//! Propositional logic for reduction: which sub-inputs are valid, and which valid ones to try.
//!
//! Everything here is pure. A formula is a [`Cnf`] in implicative positive form; an assignment is a
//! [`VarSet`].

#![warn(missing_docs)]

mod cnf;
mod completion;
mod component;
mod count;
pub mod dimacs;
mod graph;
mod index;
mod lossy;
mod order;
mod reasoner;
mod removal;
mod sample;
mod var;

pub use cnf::{Clause, Cnf, NotImplicative};
pub use count::{CountLimit, TooHard, count};
pub use graph::Graph;
pub use lossy::{Pick, to_graph};
pub use order::VariableOrder;
pub use reasoner::{Progression, Reasoner};
pub use removal::{Remover, Sacrifice};
pub use sample::random_solution;
pub use var::{Var, VarSet};
