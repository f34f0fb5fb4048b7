//! Propositional logic for reduction: which sub-inputs are valid, and which valid ones to try.
//!
//! Everything here is pure. A formula is a [`Cnf`] in implicative positive form; an assignment is a
//! [`VarSet`].
//!
//! ```
//! use lapidary_logic::{Cnf, CountLimit, Reasoner, Var, VarSet, count};
//!
//! // A class `A` implements an interface `I`, which declares a method `m`.
//! let names = ["A", "I", "A implements I", "I.m", "A.m"];
//! let mut formula = Cnf::new(names.len());
//! let [class, interface, implements, declared, method] = [0, 1, 2, 3, 4].map(Var::new);
//! formula.imply(implements, class);
//! formula.imply(implements, interface);
//! formula.imply(declared, interface);
//! formula.imply(method, class);
//! formula.add(&[implements, declared], &[method]).expect("it has a conclusion");
//! assert_eq!(count(&formula, &CountLimit::default()).unwrap(), 12u32.into());
//!
//! // The smallest valid program in which `A` implements `I`, and one in which `I` has `m` as well.
//! let (whole, reasoner) = (VarSet::full(names.len()), Reasoner::new(&formula));
//! let with = |required: &[Var]| reasoner.minimal_solution(&whole, required).len();
//! assert_eq!(with(&[implements]), 3);
//! assert_eq!(with(&[implements, declared]), 5);
//!
//! // Every prefix of a progression is a valid program.
//! let progression = reasoner.progression(&[], &whole);
//! assert!((0..progression.len()).all(|last| formula.is_satisfied_by(&progression.prefix(last))));
//! ```

#![warn(missing_docs)]

mod cnf;
mod completion;
mod component;
mod count;
pub mod dimacs;
mod graph;
mod index;
mod lossy;
mod order;
mod reasoner;
mod removal;
mod sample;
mod var;

pub use cnf::{Clause, Cnf, NotImplicative};
pub use count::{CountLimit, TooHard, count};
pub use graph::Graph;
pub use lossy::{Pick, to_graph};
pub use order::VariableOrder;
pub use reasoner::{Progression, Reasoner};
pub use removal::{Remover, Sacrifice};
pub use sample::random_solution;
pub use var::{Var, VarSet};
