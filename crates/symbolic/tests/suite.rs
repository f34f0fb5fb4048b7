//! All integration tests of the crate in one program, which is linked only once.

mod cases;
mod coverage;
mod differential;
mod expressions;
mod garbage;
mod inputs;
mod linkage;
mod merging;
mod replay;
mod support;
mod surroundings;
mod symbols;
