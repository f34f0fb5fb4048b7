//! All integration tests of the crate in one program, so that it is linked once.

mod common;
mod dynamic_slices;
mod faithful_slices;
mod generated;
mod guards;
mod injection;
mod rendering;
mod static_slices;
mod writes;
