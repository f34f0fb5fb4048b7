//! All integration tests of the crate in one program, so that it is linked once.

mod hostile;
mod round_trip;
mod support;
mod tree;
