//! Random Java programs of which it is known what they are to each other: one program, other renderings of it that do the same, and
//! mutants that may do something else. What a test asks of `compare` and `explore` is then known without asking them.
//!
//! Everything depends on the seed alone.

mod dice;
mod equal;
mod grow;
mod inspect;
pub mod oracle;
mod print;
mod seeded;
mod syntax;
mod templates;

pub use dice::Dice;
pub use equal::rewritten;
pub use grow::grown;
pub use print::printed;
pub use seeded::mutated;
pub use syntax::{Program, Type};
