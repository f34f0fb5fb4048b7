//! Minimises a failing program: the models to use and their order (AutoPIE, chapter 5, and beyond).
//!
//! During the search, each candidate has as many lines as the original, so a line number means the
//! same in both. [`compacted`] removes the empty lines at the end and reports where the others
//! went.

mod coarse;
mod compaction;
mod enumerated;
mod renaming;
mod slices;
mod stages;
mod statements;
mod target;
mod tokens;
mod watching;

pub use compaction::compacted;
pub use stages::{Approach, Found, rename, search};
pub use target::Target;
pub use watching::Watching;
