//! Featherweight Java with Interfaces.

mod error;
mod layout;
mod lexer;
mod model;
mod numbering;
mod parser;
mod printer;
mod reduce;
pub mod syntax;
mod table;
mod typecheck;

pub use error::{FjiError, Position, Problem, TypeError};
pub use model::FjiModel;
pub use numbering::{DeclarationVars, MemberVars, Numbering};
pub use parser::parse;
pub use printer::print;
pub use reduce::reduce;
pub use typecheck::type_check;

/// Whether `source` is a program that type checks.
pub fn check(source: &str) -> Result<(), FjiError> {
    type_check(&parse(source)?).map(|_| ()).map_err(|error| error.located_in(source))
}
