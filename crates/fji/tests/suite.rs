//! All integration tests of the crate in one program, so that it is linked once.

mod figure1;
mod paper_run;
mod support;
mod syntax;
mod theorem;
mod typing;
