//! All integration tests of the crate in one program, so that it is linked once.

mod contract;
mod journal;
mod papers;
