//! Static and dynamic backward slices of C and C++ programs.
//!
//! A slice is what is left of a program when everything that cannot have influenced a statement is taken away: a first
//! small program on the way to the smallest that still fails. Slices are computed on a program dependence graph made
//! from libclang's tree. Where the tree does not say enough (pointers, libraries, macros) more is kept than needed; a
//! slice can still be wrong, and who uses one runs it first.

mod accesses;
mod aliases;
mod calls;
mod cells;
mod closure;
mod control;
mod deep;
mod dynamic_slice;
mod edits;
mod elements;
mod flow;
mod graph;
mod guards;
mod includes;
mod inject;
mod instrument;
mod library;
mod probes;
mod program;
mod references;
mod render;
mod slice;
mod static_slice;
mod text;
mod usage;

pub use dynamic_slice::dynamic_slice;
pub use edits::{Edit, apply};
pub use guards::{Grounds, Piece, grounds};
pub use inject::{Inputs, inject};
pub use instrument::{Instrumented, instrument};
pub use render::{Style, render};
pub use slice::{Criterion, Removal, Slice, SliceError, SlicedFile};
pub use static_slice::static_slice;
