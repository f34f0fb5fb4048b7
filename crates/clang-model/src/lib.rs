//! C and C++ programs as models: the items that can be removed, their dependencies, and the
//! rewrites that make the program simpler.

mod draft;
mod edit;
mod expressions;
mod gate;
mod initialisation;
mod known_values;
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
pub use known_values::KnownValues;
pub use lapidary_clang::Language;
pub use model::{ClangModel, Demands, Detail, Knowledge, SourceLine, View};
pub use readers::Readers;
pub use sources::Project;
