//! Which methods a Java program may run.
//!
//! [`reachable`] follows a program from its `main` through the classes of the application and of the platform, with one of four
//! analyses ([`Analysis`]) that differ in how well they follow objects. [`Weaknesses`] make an analysis wrong on purpose, to
//! have bugs that are known.
//!
//! Class initialisers, lambdas and method references, default methods, threads, finalizers, cleaners, shutdown hooks and
//! handlers of uncaught exceptions are followed. Reflection, proxies, serialization, method handles that code makes, and
//! what native code calls are not, on purpose.
//!
//! [`tools`] asks the analyses of others the same question.
//!
//! Architecture invariant: an analysis only says which values share a set of types. What bytecode does to values
//! is said once, in `body`; what the sets mean for calls is said once, in `engine`.

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

pub use analysis::{Analysis, UnknownAnalysis};
pub use reached::{Entry, Error, Limits, Reached, reachable};
pub use weakness::{UnknownWeakness, Weakness, Weaknesses};
