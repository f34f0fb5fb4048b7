//! A symbolic Java virtual machine: it runs real class files, from the program and from the installed JDK, on numbers and on
//! symbols, and forks where a decision depends on a symbol.
//!
//! - [`Machine`] holds what all paths share: classes, terms, the solver. It moves a [`State`] forward instruction by instruction.
//! - [`State`] is one path on its way. Copying one costs almost nothing.
//! - [`World`] makes classes and methods ready to run; [`native`] is what the machine does instead of native code.
//!
//! Architecture invariant: this crate runs paths and knows nothing of what they are compared with or how they are shown. No
//! class file makes it panic; what it cannot do ends a path with a reason.

mod boundary;
mod coverage;
mod dynamic;
mod ending;
mod explore;
mod frame;
mod heap;
mod input;
mod list;
mod machine;
mod memory;
mod merge;
mod method;
pub mod native;
mod observe;
mod outcome;
mod prefix;
mod random;
mod replay;
mod script;
pub mod search;
mod state;
mod step;
mod strings;
mod throw;
mod trie;
mod turns;
mod types;
mod unread;
mod value;
mod variable;
mod world;

pub use boundary::{Constructed, Crossing, Event, Part, Partition, Variable, is_value_class};
pub use coverage::{Coverage, Covered, Missed, Share, source_file};
pub use dynamic::{NoEntry, Plan, Source, is_main};
pub use ending::{Aliases, Ending, Limits};
pub use explore::{Alarm, Budget, Explored, Limit, Message, Outcome, PathEnd, ReturnValue, explore};
pub use frame::Place;
pub use heap::{Elements, Heap, Object, Vague};
pub use input::{
    Alternative, Asked, Call, GivenField, GivenObject, Input, Kind, KindId, Kinds, Number, ObjectsBy, ProgramClasses,
    Restriction, Wanted, escaped,
};
pub use list::List;
pub use machine::{Counts, Halt, Machine};
pub use memory::resident as resident_memory;
pub use merge::Merging;
pub use method::Method;
pub use native::MathFunctions;
pub use observe::{Observation, Observed, Observer, differ_each_time};
pub use outcome::readable;
pub use prefix::{Common, Prefix};
pub use random::{Constants, RandomInputs, RandomTester, Tested};
pub use replay::{RealEnding, Replayed, Replayer};
pub use script::Pinned;
pub use state::{Printed, State};
pub use value::{Ref, Value};
pub use world::{Missing, World};
