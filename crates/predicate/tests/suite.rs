//! All integration tests of the crate in one program, so that it is linked once.

mod expectations;
mod files;
mod hostile;
mod programs;
mod runner;
mod runs;
mod sandbox;
mod support;
mod warden;
mod worker;
