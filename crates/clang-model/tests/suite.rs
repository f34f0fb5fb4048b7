//! All integration tests of the crate in one program, so that it is linked once.

mod linking;
mod rewrite_model;
mod validity;
