//! Two versions of a Java program on all inputs: where they differ in what they must not, or that they do not.
//!
//! - [`Spec`] says which objects a change may affect. Without one, [`Changes`] between the classes say it.
//! - [`Versions`] are two symbolic machines that share terms, symbols and solver, so that a symbol means the same input in both.
//! - [`compare`] takes every path of the old version, has the new version follow it on the same inputs, and asks whether what
//!   crosses the boundary between affected and unaffected objects, and what can be seen from outside, can differ.
//!
//! Architecture invariant: this crate decides whether versions differ. It knows neither how they were built nor how a verdict is
//! shown, and it never calls a difference real: that is for whoever runs both versions.

mod budget;
mod changed_lines;
mod changes;
mod common;
mod compare;
mod files;
mod graph;
mod matching;
mod outline;
mod random;
mod rules;
mod spec;
mod trace;
mod unseen;
mod verdict;
mod versions;

pub use budget::{Budget, Techniques};
pub use changed_lines::ChangedLines;
pub use changes::{Change, Changes};
pub use compare::{compare, compare_on};
pub use files::differing_files;
pub use graph::class_graph;
pub use matching::Where;
pub use outline::{Outline, RuleText};
pub use random::{Compared, RandomComparer};
pub use rules::Rules;
pub use spec::{Literal, Matcher, Names, Spec, SpecError, Test, Tolerance, written};
pub use unseen::unseen;
pub use verdict::{Candidate, Comparison, Confirmed, Step, Verdict};
pub use versions::{Side, Version, Versions};
