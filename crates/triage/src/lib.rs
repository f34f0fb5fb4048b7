//! Triage: is a missed behaviour a bug or a known limit?
//!
//! A static analysis that misses behaviour of a program is unsound. Whether that is a bug or
//! deliberate depends on how many *other* analyses of the same kind get the input right:
//! unsoundness on an easy input is a bug, on a hard one a feature. (C. G. Kalhauge, J. Palsberg:
//! *Separating Bugs from Deliberate Unsoundness*.)
//!
//! - [`easiness`], [`Thresholds`] and [`Verdict`] are the classifier, for tools of any kind.
//! - [`Examiner`] runs a program under the tracer and asks the analyses; [`StillLost`] asks the
//!   same about a smaller program.
//! - [`judge`] applies the classifier to reachable methods: it compares [`Answer`]s with a trace,
//!   method by method.
//! - [`recogniser::RECOGNISERS`] is the table of causes.
//! - [`Judged`] programs add up to [`tables`], and those to the [JSON](report::as_json).
//! - [`Command`] runs an analysis or a tool; [`Corpus`] and [`Tools`] are files that list programs
//!   and tools.
//!
//! Architecture invariant: nothing here knows how an analysis works. An answer is a set of methods,
//! or a yes or no.

mod answer;
mod classes;
mod command;
mod conclusion;
mod corpus;
mod easiness;
mod examine;
mod judged;
mod manifest;
pub mod recogniser;
pub mod report;
mod still_lost;
pub mod tables;
mod tools;

pub use answer::{Answer, AnswerError};
pub use classes::Classes;
pub use command::{Command, CommandError, NamedCommand, Place};
pub use conclusion::{Conclusion, Losses, Says};
pub use corpus::{Corpus, CorpusError, TriageProgram};
pub use easiness::{Thresholds, Verdict, Voice, easiness};
pub use examine::{Analysis, ExamineError, Examined, Examiner, expanded};
pub use judged::{Evidence, Finding, Further, Judged, Lost, Outcome, Panel, judge};
pub use manifest::Manifest;
pub use still_lost::StillLost;
pub use tools::{Said, Tool, Tools, ToolsError};
