//! Toy models and scripted predicates for the tests of the other crates.

mod formulas;
pub mod java;
mod oracle;
mod predicates;
mod toy;

pub use formulas::{cases, formula, graph, set_of};
pub use oracle::Recorder;
pub use predicates::{Needs, Scripted};
pub use toy::ToyModel;
