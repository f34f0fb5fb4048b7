//! Call-graph analyses: which methods a Java program may run.
//!
//! [`reachable`] follows a program from its `main` through the classes of the application and of
//! the platform, with one of four analyses ([`CallGraphAnalysis`]) that differ in how precisely
//! they follow objects. [`Weaknesses`] make an analysis wrong on purpose, to provide known bugs.
//!
//! Class initialisers, lambdas and method references, default methods, threads, finalizers,
//! cleaners, shutdown hooks and handlers of uncaught exceptions are followed. Reflection, proxies,
//! serialization, method handles created by code, and calls from native code are deliberately not
//! followed.
//!
//! [`tools`] asks third-party analyses the same question.
//!
//! Architecture invariant: an analysis only decides which values share a set of types. The effect
//! of bytecode on values is defined once, in `body`; the meaning of the sets for calls is defined
//! once, in `engine`.

mod analysis;
mod application;
mod body;
mod engine;
mod graph;
mod reached;
pub mod tools;
mod type_set;
mod types;
mod weakness;
mod world;

pub use analysis::{CallGraphAnalysis, UnknownAnalysis};
pub use reached::{Entry, Error, Limits, Reached, reachable};
pub use weakness::{UnknownWeakness, Weakness, Weaknesses};
