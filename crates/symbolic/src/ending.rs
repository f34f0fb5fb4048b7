//! How a path can end, and the limits of a path.

use crate::value::{Ref, Value};

/// How a path ended, in values of the machine.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The entry method returned.
    Returned(Option<Value>),
    /// An exception left the entry method.
    Threw(Ref),
    /// The program called `System.exit`.
    Exited(Value),
    /// The path returned to the head of a loop, where the loop's variables have these values. Only
    /// a [`Hook`](crate::Hook) ends paths this way.
    Turned(Vec<Value>),
    /// No input that takes this path satisfies the program's assumptions.
    Infeasible,
    /// The path needs something that the machine does not support.
    Unsupported(String),
}

impl Ending {
    pub fn unsupported(what: String) -> Ending {
        Ending::Unsupported(what)
    }
}

/// The limits of a single path.
#[derive(Clone, Debug)]
pub struct PathLimits {
    /// Nested calls before a `StackOverflowError`.
    pub depth: u32,
    /// Elements that all arrays of a path may have together.
    pub elements: usize,
    /// The largest length of an input array.
    pub array_length: usize,
    /// How many references deep input objects may go.
    pub object_depth: u32,
    pub aliases: Aliases,
}

/// Which inputs may be the same object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aliases {
    None,
    /// Arguments may be the same object; fields may not, so objects form trees.
    #[default]
    Arguments,
    All,
}

impl Aliases {
    /// The names that users type.
    pub const NAMES: [&'static str; 3] = ["none", "arguments", "all"];

    /// The variant with this name, or the default if there is none.
    pub fn named(name: &str) -> Aliases {
        match name {
            "none" => Aliases::None,
            "all" => Aliases::All,
            _ => Aliases::Arguments,
        }
    }
}

impl Default for PathLimits {
    fn default() -> Self {
        PathLimits { depth: 2000, elements: 1 << 27, array_length: 8, object_depth: 3, aliases: Aliases::Arguments }
    }
}
