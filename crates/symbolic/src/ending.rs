//! How a path can end, and how far it may go.

use crate::value::{Ref, Value};

#[derive(Clone, Debug)]
pub enum Ending {
    /// The entry method returned.
    Returned(Option<Value>),
    /// An exception left the entry method.
    Threw(Ref),
    /// `System.exit`.
    Exited(Value),
    /// It came back to the head of a loop, where its variables have these values: see [`Machine::matches_loops`](crate::Machine).
    Turned(Vec<Value>),
    /// What the program assumes does not hold for any input that comes here.
    Infeasible,
    /// The path needs something that the machine cannot do.
    Unsupported(String),
}

impl Ending {
    pub fn unsupported(what: String) -> Ending {
        Ending::Unsupported(what)
    }
}

/// How far paths may go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Nested calls before a `StackOverflowError`.
    pub depth: u32,
    /// Elements that all arrays of a path may have together.
    pub elements: usize,
    /// Elements of an array whose length is an input.
    pub array_length: usize,
    /// How deep objects that are inputs refer to others.
    pub object_depth: u32,
    pub aliases: Aliases,
}

/// Which inputs may be one and the same object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aliases {
    None,
    /// Arguments, but no fields: what they refer to are trees.
    #[default]
    Arguments,
    All,
}

impl Aliases {
    /// What users call them.
    pub const NAMES: [&'static str; 3] = ["none", "arguments", "all"];

    /// That of this name; the usual one if there is none.
    pub fn named(name: &str) -> Aliases {
        match name {
            "none" => Aliases::None,
            "all" => Aliases::All,
            _ => Aliases::Arguments,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 2000, elements: 1 << 27, array_length: 8, object_depth: 3, aliases: Aliases::Arguments }
    }
}
