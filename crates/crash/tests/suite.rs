//! All integration tests of the crate in one program, so that it is linked once.

mod fast_builds;
mod hostile;
mod kinds;
mod predicate;
mod reason;
mod slicing;
mod support;
