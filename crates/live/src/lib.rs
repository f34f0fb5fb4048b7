//! The view of a run while it goes on: one line at first, a screen when the run lasts, plain lines
//! for pipes and screen readers, and JSON events for programs.
//!
//! A run reports [`Change`]s, which [`State`] turns into what is worth showing. `State` is pure: it
//! reads no clock and knows no terminal. [`screen`] and [`plain`] draw it, [`keys`] says what a key
//! means, and [`View`] brings them together with a terminal and a thread.
//!
//! **Architecture Invariant:** the view never changes what a run does, except through the handles
//! that the user's keys pull: `Cancel` and `Control`. Nothing that a terminal would obey is drawn
//! or printed.
#![warn(missing_docs)]

mod backlog;
mod change;
mod classes;
mod diff;
mod document;
mod events;
mod facts;
mod history;
mod keyboard;
pub mod keys;
mod outlet;
pub mod paper;
mod plain;
pub mod screen;
mod scribe;
mod state;
mod stream;
mod terminal;
mod view;
mod words;

pub use change::Change;
pub use document::Document;
pub use events::EventFile;
pub use lapidary_common::visible::harmless;
pub use outlet::{clear_line, draw_line, reserve_stdout, write};
pub use state::{About, Search, Stage, State};
pub use stream::Stream;
pub use view::{Handles, Reporter, Style, View};
pub use words::{counted, thousands};
