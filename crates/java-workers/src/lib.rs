//! The Java workers that come with Lapidary: programs that speak the worker protocol and stay in
//! one JVM.
//!
//! - `workers/decompiler` is the built-in test for decompilers: does the decompiler's output for
//!   these classes still give the same compiler errors? [`Decompiler::install`] fetches the
//!   decompiler from Maven Central.
//! - `workers/verifier` asks the JVM whether classes verify and link: see [`Verifier`].
//! - `workers/replay` calls a method with given values and reports how it ends: see [`Replay`].
//!   `workers/junit` has what generated tests need beside some of it: see [`junit_sources`].
//!
//! This crate carries their sources and compiles each once into a cache. The commands it returns
//! are run by `lapidary_predicate::WorkerPredicate`.

mod cache;
mod decompiler;
mod error;
mod jdk;
mod maven;
mod replay;
mod sources;
mod verifier;

pub use decompiler::{Decompiler, Installed};
pub use error::InstallError;
pub use maven::Artifact;
pub use replay::{Replay, junit_sources, replay_sources};
pub use verifier::Verifier;

/// The expectation for an interesting answer of the worker: it found errors. [`PRESERVE`] names the
/// other condition.
pub const EXPECT: &str = "exit=0";
/// The part of an interesting answer that must stay the same: the errors of the original.
pub const PRESERVE: &str = "stdout";
