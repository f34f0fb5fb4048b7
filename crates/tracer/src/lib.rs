//! A tracer that records which methods of a Java program run.
//!
//! [`JavaCommand::trace`] runs a program under the agent in `agent/`, which records each method of
//! the application when it is first entered, and parses the record as a [`Trace`]. The agent is a
//! shared library that is embedded in this crate.
//!
//! Methods without bytecode (`native`) and other JVMs that the program starts are not recorded.

mod format;
mod jdk;
mod program;

pub use format::{Entry, Frame, Returned, Trace};
pub use jdk::{Jdk, OLDEST};
pub use program::{JavaCommand, Recording, Run, TraceError};
