//! The reduction engine. A [`Model`] says what can be removed, a [`Strategy`] decides what to try
//! next, and a [`Predicate`] tells whether a candidate still fails. They meet in a [`Session`] and
//! know nothing of each other.

#![warn(missing_docs)]

mod control;
mod files;
pub mod journal;
mod keepers;
mod model;
mod predicate;
mod rounds;
mod session;
mod space;
mod speculation;
pub mod strategy;

pub use control::{Control, Skip};
pub use files::{Blob, Content, Entry, FileTree, Key, Size};
pub use journal::{Header, Journal, JournalError};
pub use keepers::Keeper;
pub use lapidary_common::Cancel;
pub use model::{Item, Model, RenderError, requiring};
pub use predicate::{Judgment, Predicate, PredicateError, Verdict};
pub use rounds::{Builder, Keep, Outcome, Plan, Source, Stage, run, smallest_candidate};
pub use session::{Counts, Event, Limits, Observer, Session, StageEnd, StageInfo, StageOracle, Trial};
pub use space::Space;
pub use strategy::{Oracle, Stop, Strategy};
