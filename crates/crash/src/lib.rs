//! Runtime errors of C and C++ programs: compile a program, run it, see how it fails, and tell whether a smaller program
//! fails in the same way at the same place.

mod failure;
mod sameness;
mod stack;

pub use failure::{Failure, Frame, Kind};
pub use sameness::{LineMap, Sameness};
