//! Runtime errors of C and C++ programs: compile a program, run it, see how it fails, and tell whether a smaller program
//! fails in the same way at the same place.
//!
//! There is no debugger. A small part of ours is linked into the program ([`Observer`] sees to that), which writes down
//! the stack when a signal, a failed assertion or an uncaught exception ends the program; sanitizers report by themselves.
//! [`CrashPredicate`] asks of each candidate whether [`Sameness`] holds between its [`Failure`] and the original's.

mod build;
mod commands;
mod compile_server;
mod compilers;
mod error;
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
mod predicate;
mod prefix;
mod preprocess;
mod presence;
mod projection;
mod report;
mod run;
mod runtime;
mod sameness;
mod sanitizer;
mod second_opinion;
mod slicing;
mod stack;
mod symbols;
mod toolchain;
mod workshop;

pub use build::{Build, Source, is_source};
pub use commands::{CommandsError, CompileCommand, read_compile_commands, split_words};
pub use error::CrashError;
pub use execution::Execution;
pub use failure::{Failure, Frame, Kind, Site};
pub use headers::with_headers_of;
pub use observer::{Observed, Observer, Outcome, Timings};
pub use predicate::{CrashPredicate, Reproduction, reproduce};
pub use preprocess::preprocessed;
pub use projection::Projection;
pub use sameness::{Closeness, LineMap, Sameness};
pub use slicing::{Slicer, SlicingError};
