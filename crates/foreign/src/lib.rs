//! Foreign code in child processes.
//!
//! libclang, grammars from shared libraries and solvers read whatever the user is reducing, and an
//! input that breaks a compiler may break them too. They run in children of this process, which
//! are our own executable with a hidden argument. A child may crash, hang or exhaust its memory:
//! the question then ends with a [`Death`], and the next one gets a new child.
//!
//! Each kind of foreign code is a [`Service`]: a function from bytes to bytes. A [`Pool`] keeps
//! idle children of one service. Invariants: a child never outlives this process, and asking never
//! takes longer than the [`Limits`] allow.

mod child;
mod frame;
mod process;
mod serve;

pub use child::{Child, ChildNumber, Death, Limits, Pool, stop_count, stop_waiting};
pub use serve::{Answers, Service, is_available, run_if_asked};
