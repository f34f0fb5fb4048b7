//! C and C++ programs as optional items: what can be taken away, what needs what, and what can be written shorter.

mod edit;

pub use edit::{Edit, Layout, apply};
