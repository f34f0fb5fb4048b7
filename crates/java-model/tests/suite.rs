//! All integration tests of the crate in one program, so that it is linked once.

mod collapse;
mod defaults;
mod hostile;
mod laws;
mod machine;
mod parameters;
mod rules;
mod statements;
mod support;
