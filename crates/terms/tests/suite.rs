//! All integration tests of the crate in one program, so that it is linked once.

mod chain;
mod enumeration;
mod rules;
mod workshop;
mod z3;
