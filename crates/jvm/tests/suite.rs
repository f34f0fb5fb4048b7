//! All integration tests of the crate in one program, so that it is linked once.

mod disassembly;
mod generated;
mod platform;
mod signatures;
mod support;
mod typing;
mod typing_machine;
mod typing_support;
