//! Writes JUnit tests for calls whose behaviour was seen on a real JVM.
//!
//! - [`Case`] is a call with what was seen of it and what to assert; [`TestClass`] writes cases as
//!   a class in the package of the method.
//! - [`TestProject`] puts a class into a Maven project that runs as it is.
//! - [`SourceNames`] knows what Java source can name from a package. Everything else is reached by
//!   reflection, through the Java sources of `crates/java-workers/workers/junit`.
//!
//! Architecture invariant: this crate runs nothing and writes no file. A case that cannot be
//! written as Java is an [`Unwritable`] with its reason, never a test that asserts less.

mod arguments;
mod assertions;
mod case;
mod inputs;
mod literal;
mod names;
mod project;
mod test_class;

pub use assertions::Aspects;
pub use case::Case;
pub use names::SourceNames;
pub use project::{Library, Readme, TestProject};
pub use test_class::{TestClass, WrittenClass};

use thiserror::Error;

/// The reason why a call cannot be written as a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
#[error("{0}")]
pub struct Unwritable(pub String);
