//! Featherweight Java with Interfaces (FJI): the reference language on which the theorems about the
//! logical model are tested (Kalhauge and Palsberg, *Logical Bytecode Reduction*, PLDI 2021,
//! section 3 and appendix A).
//!
//! [`parse`] reads a program (figure 4), [`type_check`] checks it and generates the constraint that
//! its sub-programs must satisfy (figures 6 and 7), and [`reduce()`] builds the sub-program of an
//! assignment (figure 5). [`FjiModel`] offers all this to the engine.
//!
//! # Interpretation of the rules
//!
//! - **Built-in types.** `Object`, `String` and `EmptyInterface` always stay; their variables are
//!   replaced by true.
//! - **Subtyping.** A class may reach an interface along several paths, directly or through
//!   superclasses. Each is a derivation of figure 6; the formula is their disjunction, the weakest
//!   that is sound.
//! - **Omitted code.** The paper writes `...` for bodies that create no constraints. Here `...` is
//!   an expression that has every type, depends on nothing, and has no members.
//! - **Assumptions of the paper.** Unique names, known types and acyclic inheritance are checked.
//!   Without the first, theorem 3.1 would fail: a removed body becomes `return this.m(x̄);`, which
//!   has another meaning if two parameters share a name.
//!
//! # Validity of the theorem
//!
//! No counterexample to theorem 3.1 was found: the rules need no clause beyond the printed ones.
//! The requirement `[T]` for the type of a call's receiver follows from the rest and is there only
//! because figure 2 has it. The converse, which the paper leaves open, fails for trivial reasons
//! (an item inside a removed one may be kept or not, and the program is the same). Apart from these
//! it holds without exception in our tests: see `tests/figure1.rs` and `tests/theorem.rs`.

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

/// Checks that `source` is a well-typed program.
pub fn check(source: &str) -> Result<(), FjiError> {
    type_check(&parse(source)?).map(|_| ()).map_err(|error| error.located_in(source))
}
