//! The prefix that a path has in common with one of another version of the program.
//!
//! As long as a path runs code that is the same in both versions, on objects of classes that are
//! the same, the other version does the same. So a path remembers the state in which it first
//! reached anything else. A machine for the other version takes over that state and continues from
//! there. A path that never reaches anything else need not be run again.
//!
//! Both machines share the numbers of classes, types and literals (see
//! [`lapidary_symbolic::World::beside`]). They do not share methods, which remember what their
//! instructions were resolved to. The methods of calls in progress are exchanged when a state is
//! taken over, others when they are called.

use lapidary_jvm::ClassId;
use lapidary_symbolic::{Method, State};
use std::rc::Rc;

/// Determines what two versions of a program have in common.
pub trait Common {
    fn is_common_method(&self, method: &Method) -> bool;

    /// Whether objects and static fields of a class look the same in both versions, and are created
    /// and initialised in the same way.
    fn is_common_class(&self, class: ClassId) -> bool;
}

/// How far a path is common to both versions.
#[derive(Clone, Default)]
pub enum Prefix {
    /// The whole path so far.
    #[default]
    Whole,
    /// Up to this state, which is before an instruction.
    Until(Rc<State>),
    /// Up to the middle of some instruction, to which there is no way back.
    Lost,
}

impl Prefix {
    /// Whether both are the same prefix.
    pub fn is(&self, other: &Prefix) -> bool {
        match (self, other) {
            (Prefix::Whole, Prefix::Whole) | (Prefix::Lost, Prefix::Lost) => true,
            (Prefix::Until(one), Prefix::Until(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}
