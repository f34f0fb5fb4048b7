//! C and C++ programs as optional items: what can be taken away, what needs what, and what can be written shorter.

mod edit;
mod sources;

pub use edit::{Edit, Layout, apply};
pub use sources::{Language, Project};
