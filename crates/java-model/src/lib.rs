//! Java bytecode as items under a formula.
//!
//! - [`ClassModel`]: whole classes, each needing every class it names (J-Reduce, FSE 2019).
//! - [`ItemModel`]: classes, members, bodies, supertypes, attributes (Logical Bytecode Reduction, PLDI 2021), and with
//!   [`Detail::Statements`] what is inside bodies.
//! - [`ParameterModel`]: parameters, each with the arguments of all callers.
//! - [`CollapseModel`]: classes that can go into their superclass.
//! - [`ManifestModel`]: what the manifest says.
//! - [`Jar`] takes a jar apart and puts what is left together again; [`InJar`] gives a test jars.
//!
//! Architecture invariant: whatever satisfies a model's formula passes the JVM's verifier, and every reference in it
//! resolves, as far as that was so before.

mod body;
mod class_graph;
mod collapse;
mod generics;
mod jar;
mod kept;
mod label;
mod library;
mod manifest;
mod model;
mod names;
mod parameters;
mod peephole;
mod program;
mod rules;
mod statements;
mod stub;
mod trim;
mod unknown;
mod vocabulary;

pub use body::Tally;
pub use class_graph::ClassModel;
pub use collapse::CollapseModel;
pub use jar::{InJar, Jar};
pub use manifest::ManifestModel;
pub use model::{Detail, ItemModel};
pub use parameters::ParameterModel;
