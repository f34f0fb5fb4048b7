//! Rewrites: changes that make a program shorter or simpler in ways that removing parts cannot.
//!
//! Each rewrite of the [`catalogue`] is one small module with a function that finds its
//! [`Opportunity`]s. It looks only at the syntax tree and may be wrong about what compiles, so
//! [`RewriteModel`] asks the compiler before it offers an opportunity. Text that comes from a macro
//! is left alone. [`measure`] says why rewriting terminates.

mod catalogue;
mod measure;
mod model;
mod opportunity;
mod program;
#[cfg(test)]
mod testing;
mod tidy;

pub use catalogue::{RewriteKind, all, kinds};
pub use model::{RewriteModel, Settings};
pub use opportunity::Opportunity;
