//! Symbolic terms over Java's values, and the chain of solvers that finds values for them.
//!
//! [`Terms`] builds and keeps terms: bit-vectors, truth values and IEEE floats, hash-consed and
//! simplified when built. [`Config`] builds a [`Chain`] of [`Solver`]s, each of which answers the
//! queries it can and passes on the rest; the last one is an SMT solver.
//! `docs/concepts/solver-chain.md` explains both.
//!
//! ```
//! use lapidary_terms::{Answer, Config, Solver, Sort, Terms};
//! let mut terms = Terms::new();
//! let x = terms.symbol("x", Sort::Bits(32));
//! let (two, ten) = (terms.int(2), terms.int(10));
//! let double = terms.mul(x, two);
//! let constraint = terms.slt(ten, double);
//! let mut chain = Config::default().build()?;
//! match chain.solve(&mut terms, &[constraint]) {
//!     Answer::Satisfiable(values) => println!("x = {}", values.get(x).unwrap()),
//!     Answer::Unsatisfiable => println!("never"),
//!     Answer::Unknown(reason) => println!("{reason}"),
//! }
//! println!("{}", chain.statistics());
//! # Ok::<(), lapidary_terms::SolverError>(())
//! ```

mod assignment;
mod build;
mod constant;
mod curfew;
mod evaluate;
mod fold;
mod node;
mod show;
mod smt;
mod solver;
mod substitute;
mod support;
mod terms;

pub use assignment::Assignment;
pub use constant::Constant;
pub use curfew::Curfew;
pub use evaluate::{Evaluation, Functions, NoFunctions};
pub use node::{Binary, Function, Node, Operands, Sort, Term, Unary};
pub use smt::{SERVICE, SmtSolver, SolverError, parse_values};
pub use solver::{
    Answer, Backend, Cache, Chain, Config, Folding, Guessing, Independence, Layer, LayerCounts, Refinement, Solver,
    Stage, Statistics, Validation,
};
pub use substitute::Substitution;
pub use support::Support;
pub use terms::Terms;

use foldhash::fast::FixedState;

/// A map with a hash that is fast and identical in every run.
pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, FixedState>;
pub(crate) type Set<T> = hashbrown::HashSet<T, FixedState>;
