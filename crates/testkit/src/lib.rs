//! Toy models, scripted predicates, a Java compiler and farms for the tests of the other crates.

pub mod farm;
mod formulas;
pub mod java;
mod javac;
mod oracle;
mod predicates;
mod toy;

pub use formulas::{cases, formula, graph, set_of};
pub use javac::{javac, javac_texts};
pub use oracle::Recorder;
pub use predicates::{Needs, Scripted};
pub use toy::ToyModel;
