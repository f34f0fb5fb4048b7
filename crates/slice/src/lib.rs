//! Static and dynamic backward slices of C and C++ programs.
//!
//! A slice is the program without everything that cannot have influenced a statement. It is a first
//! small program on the way to the smallest one that still fails. Slices are computed on a program
//! dependence graph that is built from libclang's tree. Where the tree does not say enough
//! (pointers, libraries, macros), the slice keeps more than needed. A slice can still be wrong, so
//! callers must run it before they rely on it.

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
mod known;
mod library;
mod probes;
mod program;
mod references;
mod render;
mod slice;
mod static_slice;
mod text;
mod usage;

pub use dynamic_slice::{dynamic_slice, values_in};
pub use edits::{Edit, apply};
pub use guards::{Decision, Grounds, Piece, grounds};
pub use inject::{Inputs, inject};
pub use instrument::{Instrumented, instrument};
pub use known::KnownValue;
pub use render::{Style, render};
pub use slice::{Criterion, Removal, Slice, SliceError, SlicedFile};
pub use static_slice::static_slice;
