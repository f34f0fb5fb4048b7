//! Runtime errors of C and C++ programs: compiles a program, runs it, sees how it fails, and
//! decides whether a smaller program fails in the same way at the same place.
//!
//! No debugger is needed. [`FailureObserver`] links a small runtime into the program, which records
//! the stack when a signal, a failed assertion or an uncaught exception ends the program.
//! Sanitizers write their own reports. [`CrashPredicate`] checks for each candidate whether
//! [`Sameness`] holds between its [`Failure`] and the original's.

mod build;
mod commands;
mod compile_server;
mod compilers;
mod diagnosis;
mod disturbance;
mod error;
mod evidence;
mod execution;
mod failure;
mod flags;
mod headers;
mod instances;
mod leading;
mod linker;
pub mod minimise;
mod objects;
mod observer;
mod passes;
mod plain;
mod predicate;
mod prefix;
mod preprocess;
mod presence;
mod projection;
mod report;
mod reproduction;
mod run;
mod runtime;
mod sameness;
mod sanitizer;
mod second_opinion;
mod slicing;
mod stack;
mod symbols;
mod toolchain;
mod varying;
mod workshop;

pub use build::{Build, Source, is_source};
pub use commands::{CommandsError, CompileCommand, read_compile_commands, split_words};
pub use error::CrashError;
pub use execution::Execution;
pub use failure::{Failure, Frame, Kind, Site};
pub use headers::with_headers_of;
pub use observer::{FailureObserver, Observed, Outcome, Timings};
pub use plain::{PlainCommands, PlainCompilation};
pub use predicate::{CrashPredicate, Discovery};
pub use preprocess::preprocessed;
pub use projection::Projection;
pub use reproduction::{Reproduction, reproduce};
pub use sameness::{Closeness, LineMap, Sameness};
pub use slicing::{Slicer, SlicingError};
pub use varying::Varying;
