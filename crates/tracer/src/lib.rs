//! Which methods of a Java program really run.
//!
//! [`Program::trace`] runs a program under the agent in `agent/`, which writes down each method of the application when it is first
//! entered, and reads what it wrote as a [`Trace`]. The agent is a shared library that this crate carries in itself.
//!
//! What is not seen: methods without bytecode (`native`), and JVMs that the program starts.

mod format;
mod jdk;
mod program;

pub use format::{Entry, Frame, Returned, Trace};
pub use jdk::{Jdk, OLDEST};
pub use program::{Program, Recording, Run, TraceError};
