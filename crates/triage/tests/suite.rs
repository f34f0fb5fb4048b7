//! All integration tests of the crate in one program, so that it is linked once.

mod chapter;
mod own_analyses;
mod recognisers;
mod support;
