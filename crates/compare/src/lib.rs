//! Compares two versions of a Java program on all inputs: finds where they differ although they
//! must not, or shows that they do not.
//!
//! - [`Spec`] says which objects a change may affect. Without one, it is inferred from the
//!   [`Changes`] between the classes.
//! - [`VersionPair`] runs both versions in turns in one symbolic machine, so that a symbol means
//!   the same input in both.
//! - [`compare`] runs every path of the old version and makes the new version follow it on the
//!   same inputs. It checks whether anything observable can differ: what crosses the boundary
//!   between affected and unaffected objects, and what is visible from outside.
//!
//! Architecture invariant: this crate decides whether versions differ. It knows neither how they
//! were built nor how a verdict is shown. It never calls a difference real; that is left to the
//! caller, who runs both versions.

mod budget;
mod carried;
mod changed_lines;
mod changes;
mod common;
mod compare;
mod files;
mod graph;
mod matching;
mod observe;
mod outline;
mod random;
mod rules;
mod spec;
mod trace;
mod unseen;
mod verdict;
mod versions;
mod watch;

pub use budget::{ComparisonBudget, Techniques};
pub use changed_lines::ChangedLines;
pub use changes::{Change, Changes};
pub use compare::{compare, compare_on};
pub use files::differing_files;
pub use graph::class_graph;
pub use matching::Where;
pub use observe::{Observation, Observed, ObservingJvm, differ_each_time};
pub use outline::{Outline, RuleText};
pub use random::{RandomComparer, RandomComparison};
pub use rules::Rules;
pub use spec::{Literal, Matcher, Names, Spec, SpecError, Test, Tolerance, written};
pub use unseen::unseen;
pub use verdict::{Candidate, ComparisonResult, Confirmed, TraceStep, Verdict};
pub use versions::{RunnableVersion, Side, VersionPair};
pub use watch::{Constructed, Partition, Pinned};
