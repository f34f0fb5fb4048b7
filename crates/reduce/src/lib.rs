//! The reduction engine. A [`Model`] says what can be taken away, a [`Strategy`] decides what to try, a [`Predicate`]
//! tells whether it still fails; they meet in a session and know nothing of each other.

mod files;
mod model;
mod predicate;
mod space;
pub mod strategy;

pub use files::{Blob, Content, Entry, FileTree, Key};
pub use model::{Item, Model, RenderError, requiring};
pub use predicate::{Cancel, Judgment, Predicate, PredicateError, Verdict};
pub use space::Space;
pub use strategy::{Oracle, Stop, Strategy};
