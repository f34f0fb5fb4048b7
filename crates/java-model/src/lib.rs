//! Java bytecode as items under a formula.
//!
//! - [`ClassModel`]: whole classes, each needing every class it names (J-Reduce, FSE 2019).
//! - [`ItemModel`]: classes, members, bodies, supertypes and attributes (Logical Bytecode
//!   Reduction, PLDI 2021); with [`Detail::Statements`] also the parts of bodies.
//! - [`ParameterModel`]: parameters, each with the arguments of all callers.
//! - [`CollapseModel`]: classes that can be collapsed into their superclass.
//! - [`ManifestModel`]: the attributes and sections of the manifest.
//! - [`Jar`] unpacks a jar and packs the files that are left.
//!
//! Architecture invariant: every program that satisfies a model's formula passes the JVM's
//! verifier, and every reference in it resolves, as far as that held for the original.

mod body;
mod class_graph;
mod collapse;
mod generics;
mod jar;
mod kept;
mod label;
mod library;
mod manifest;
mod member;
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
pub use jar::Jar;
pub use manifest::ManifestModel;
pub use model::{Detail, ItemModel};
pub use parameters::ParameterModel;
pub use vocabulary::CODE;
