//! Making a failing program small: which models see it, in which order (AutoPIE, chapter 5, and beyond).
//!
//! While the search goes on, every candidate has as many lines as the original, so that a line number means the same in
//! both. [`compacted`] takes the empty lines away in the end and says where the others went.

mod coarse;
mod compaction;
mod gbr_then_sweep;
mod renaming;
mod slices;
mod stages;
mod statements;
mod tokens;
mod watching;

pub use compaction::compacted;
pub use stages::{Approach, Found, Target, rename, search};
pub use watching::Watching;
