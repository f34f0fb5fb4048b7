//! The type checker for method bodies: an abstract interpreter of bytecode (JVMS §4.10.1).
//!
//! - [`infer`] computes the types of locals and operands before every instruction, by the stack map
//!   or by data-flow.
//! - [`facts`] lists what a typed body relies on, [`names`] what a body without types does.
//! - [`Edits`] removes and replaces instructions, [`repair`] makes the result valid again.
//! - [`reaching_stores`] and [`depth_zero_positions`] tell where code may be cut.
//!
//! Architecture invariant: one function, the step of `transfer.rs`, knows what instructions do to
//! types. Checking, rebuilding and listing are observers of that step.

mod declared;
mod edit;
mod fact;
mod facts;
mod flow;
mod infer;
mod known;
mod lambda;
mod lookup;
mod merge;
mod names;
mod relation;
mod renumber;
mod repair;
mod shape;
mod state;
mod stores;
mod transfer;
mod untypable;
mod variables;

pub use edit::{EditError, Edits};
pub use fact::{Fact, FactKind};
pub use facts::facts;
pub use flow::has_subroutines;
pub use infer::{Typing, infer};
pub use names::names;
pub use relation::Cut;
pub use renumber::Renumbering;
pub use repair::{Below, repair, repair_within};
pub use state::{State, Type};
pub use stores::{depth_zero_positions, reaching_stores};
pub use untypable::{Place, Trouble, Untypable};
