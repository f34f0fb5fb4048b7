//! Watches the paths of one version of a program for a comparison. [`Watch`] is the hook of the
//! symbolic machine; each file here watches for one thing.
//!
//! - `boundary.rs` traces what crosses between the affected part and the rest.
//! - `prefix.rs` and `taking_over.rs` determine how far a path is common to both versions.
//! - `script.rs` makes a path repeat the choices of another one, on the same inputs.
//! - `turns.rs` lets one iteration of a loop stand for all.

mod boundary;
mod event;
mod hook;
mod notes;
mod partition;
mod prefix;
mod script;
mod taking_over;
mod turns;

pub use boundary::is_value_class;
pub use event::{Crossing, Event, Variable};
pub use hook::Watch;
pub use notes::Noted;
pub use partition::{Constructed, Partition};
pub use prefix::{Common, Prefix};
pub use script::{
    Pinned, following, following_from, gave_later_than_following, pinned, state_for, was_given_more_than,
};
pub use taking_over::{gives_alike, has_no_inputs, take_over};
