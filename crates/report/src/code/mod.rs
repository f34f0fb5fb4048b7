//! Source code with line numbers and colours.

mod language;
mod lexer;
mod listing;

pub use language::Language;
pub use lexer::Highlighter;
pub use listing::{Listing, Mark};
