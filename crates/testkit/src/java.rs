//! Random Java programs with known relations: one program, other renderings of it with the same
//! behaviour, and mutants that may behave differently. The expected answers of `compare` and
//! `explore` are thus known without running them.
//!
//! Everything depends on the seed alone.

mod dice;
mod equal;
pub mod escape;
mod grow;
mod inspect;
pub mod oracle;
mod print;
mod seeded;
mod syntax;
mod templates;

pub use dice::Dice;
pub use equal::{letters, rewritten};
pub use grow::grown;
pub use print::printed;
pub use seeded::mutated;
pub use syntax::{Program, Type};
