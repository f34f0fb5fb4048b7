//! All integration tests of the crate in one program, so that it is linked once.

mod laws;
mod paper;
