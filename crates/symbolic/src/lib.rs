//! A symbolic Java virtual machine. It runs real class files, from the program and from the
//! installed JDK, on concrete and symbolic values, and forks where a decision depends on a symbol.
//!
//! - [`Engine`] holds what all paths of a program share. [`Machine`] is an engine with terms and
//!   a solver; it moves a [`State`] forward instruction by instruction.
//! - [`State`] is one path in progress. Copying it is cheap.
//! - [`World`] prepares classes and methods for running; [`native`] has the methods that the
//!   machine implements itself.
//! - [`Hook`] lets other code take part, such as a comparison of two versions.
//!
//! Architecture invariant: this crate runs paths and knows neither what they are compared with nor
//! how they are shown. No class file makes it panic; a path that needs something unsupported ends
//! with a reason.

mod call;
mod choose;
mod config;
mod coverage;
mod decide;
mod dynamic;
mod ending;
mod engine;
mod explore;
mod frame;
mod halt;
mod heap;
mod hook;
mod initialise;
mod input;
mod lasting;
mod list;
mod machine;
mod math;
mod memory;
mod merge;
mod method;
mod names;
pub mod native;
mod notes;
mod outcome;
mod parts;
mod place;
mod random;
mod replay;
pub mod search;
mod setup;
mod state;
mod step;
mod strings;
mod throw;
mod trie;
mod types;
mod unread;
mod value;
mod variable;
mod world;

pub use call::Call;
pub use config::MachineConfig;
pub use coverage::{Coverage, Covered, CoveredMethod, FileLines, Share, source_file};
pub use dynamic::{ArgumentSource, CallPlan, NoEntry, is_main};
pub use ending::{Aliases, Ending, PathLimits};
pub use engine::{Engine, EngineCounts};
pub use explore::{Alarm, ExplorationBudget, Explored, Limit, Message, Outcome, PathEnd, ReturnValue, explore};
pub use frame::Frame;
pub use halt::Halt;
pub use heap::{Elements, Heap, Nature, Object, Vague};
pub use hook::{Accessed, Copied, Done, Hook, Left};
pub use input::{
    Alternative, DeclaredType, Factory, GivenField, GivenObject, Input, InputHints, InputKind, KindId, Kinds, Number,
    ObjectsBy, Piece, ProgramClasses, ProgramCode, Restriction, Shape, Taken, escaped, quoted,
};
pub use list::List;
pub use machine::Machine;
pub use math::MathFunctions;
pub use memory::resident as resident_memory;
pub use merge::Merging;
pub use method::{Method, MethodBody, Prepared};
pub use names::base_name;
pub use notes::{Note, Notes};
pub use outcome::readable;
pub use parts::{Part, Parts, Written};
pub use place::CodePlace;
pub use random::{Constants, JvmWorker, RandomInputs, RandomTester, Tested};
pub use replay::words::of_all as input_words;
pub use replay::{
    CallsToWitness, RealEnding, Replayed, Replayer, Witness, Witnessed, ending_of_report, text_of_digits,
};
pub use state::{Choice, Given, Printed, State};
pub use value::{Ref, Value};
pub use world::{Missing, World};
