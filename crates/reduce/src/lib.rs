//! The reduction engine. A [`Model`] says what can be taken away, a [`Strategy`] decides what to try, a [`Predicate`]
//! tells whether it still fails; they meet in a session and know nothing of each other.

mod files;
mod journal;
mod model;
mod predicate;
mod rounds;
mod session;
mod space;
mod speculation;
pub mod strategy;

pub use files::{Blob, Content, Entry, FileTree, Key, Size};
pub use journal::{Header, Journal, JournalError};
pub use model::{Item, Model, RenderError, requiring};
pub use predicate::{Cancel, Judgment, Predicate, PredicateError, Verdict};
pub use rounds::{Builder, Keep, Outcome, Plan, Source, Stage, run, smallest_candidate};
pub use session::{Counts, Event, Limits, Observer, Session, StageInfo, StageOracle};
pub use space::Space;
pub use strategy::{Oracle, Stop, Strategy};
