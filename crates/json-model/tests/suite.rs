//! All integration tests of the crate in one program, so that it is linked once.

mod errors;
mod example;
mod laws;
