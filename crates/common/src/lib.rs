//! Small tools that several crates need and none of them owns.
//!
//! - [`program`]: finding programs on PATH;
//! - [`jdk`]: finding Java;
//! - [`shell`]: quoting words for a shell;
//! - [`sandbox`]: command lines that run a program in a sandbox;
//! - [`own`]: telling directories that Lapidary made from those of users;
//! - [`visible`]: texts of others that nothing obeys;
//! - [`words`]: numbers for people;
//! - [`Cancel`]: requests to stop;
//! - [`Random`]: pseudo-random numbers from a seed.
//!
//! Invariant: nothing here knows what Lapidary does, and the crate has no dependencies.

mod cancel;
pub mod jdk;
pub mod own;
pub mod program;
mod random;
pub mod sandbox;
pub mod shell;
pub mod stack;
pub mod visible;
pub mod words;

pub use cancel::Cancel;
pub use random::Random;
