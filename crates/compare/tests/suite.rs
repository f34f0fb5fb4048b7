//! All integration tests of the crate in one program, so that it is linked once.

mod families;
mod pairs;
mod support;
mod verdicts;
