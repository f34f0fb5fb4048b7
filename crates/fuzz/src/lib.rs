//! Feeds damaged files to every reader: class files, jars, journals, model files, traces, answers of
//! solvers and workers, syntax trees, compile commands, specifications.
//!
//! Each target is a plain function of bytes, as `cargo fuzz` wants them. The driver here needs no
//! special compiler: it mutates seeds without knowing their structure, and goes on from mutants
//! that a reader accepted. Runs repeat exactly, given the seed and the number of inputs.
//!
//! Invariant: a target panics if and only if the reader broke a promise. Bad input is an error
//! value, never a panic.

mod drive;
mod mutate;
pub mod targets;

pub use drive::{Effort, Outcome, fuzz};
pub use targets::{TARGETS, Target};
