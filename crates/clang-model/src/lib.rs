//! C and C++ programs as optional items: what can be taken away, what needs what, and what can be written shorter.

mod draft;
mod edit;
mod expressions;
mod gate;
mod initialisation;
mod linking;
mod model;
mod outline;
mod parameters;
mod preprocessor;
mod presence;
mod program;
mod reaching;
mod readers;
mod references;
mod render;
pub mod rewrite;
mod source_text;
mod sources;

pub use edit::{Edit, Layout, apply};
pub use gate::{Gate, Milestone, demands};
pub use model::{ClangModel, Demands, Detail, Place, View};
pub use readers::Readers;
pub use sources::{Language, Project};
