//! Featherweight Java with Interfaces (FJI): the reference language on which the theorems about the logical model are
//! tested (Kalhauge and Palsberg, *Logical Bytecode Reduction*, PLDI 2021, section 3 and appendix A).
//!
//! [`parse`] reads a program (figure 4), [`type_check`] checks it and writes down the constraint that its sub-programs
//! must satisfy (figures 6 and 7), [`reduce()`] makes the sub-program of an assignment (figure 5). [`FjiModel`] offers
//! all this to the engine.
//!
//! # How the rules were read
//!
//! - **Built-in types.** `Object`, `String` and `EmptyInterface` always stay; their variables are replaced by true.
//! - **Subtyping.** A class may reach an interface on several ways, itself or through superclasses. Each is a derivation
//!   of figure 6; the formula is their disjunction, the weakest that is sound.
//! - **Code that is not shown.** The paper writes `...` for bodies that create no constraints; here `...` is an
//!   expression that has every type, depends on nothing, and has no members.
//! - **What the paper assumes.** Unique names, known types and acyclic inheritance are checked. Without the first,
//!   theorem 3.1 would fail: a removed body becomes `return this.m(x̄);`, which says something else when two parameters
//!   share a name.
//!
//! # Whether the theorem holds
//!
//! No counterexample to theorem 3.1 was found: the rules need no clause beyond the printed ones. The requirement
//! `[T]` for the type of a call's receiver follows from the rest and is there only because figure 2 has it. The
//! converse, which the paper leaves open, fails for trivial reasons (an item inside of something removed may be kept
//! or not, the program is the same) and holds without exception in our tests once these are set aside: see
//! `tests/figure1.rs` and `tests/theorem.rs`.

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
