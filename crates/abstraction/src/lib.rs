//! Abstractions of classes (thesis "Loupe", §6). Given a class of a Java program, this crate writes
//! a Java class of the same name whose methods choose where the concrete ones compute. The symbolic
//! machine runs it instead.
//!
//! - [`write()`] creates the source, by a [`Policy`].
//! - [`compile`] creates class files from it; [`compile_accepted`] leaves out the classes that the
//!   Java compiler rejects.
//!
//! A body is created in steps: [`points_to`] finds where values come from, [`mirror`] turns
//! instructions into a graph of statements without conditions, [`structure`] turns the graph into a
//! tree, [`simplify`] shortens it, and [`print`] writes it as text.
//!
//! Architecture invariant: this crate knows `lapidary.Symbolic` by name only. It runs nothing but
//! the Java compiler.

mod accessor;
mod body;
mod caught;
mod class;
mod coalesce;
mod compile;
mod fields;
mod fresh;
mod graph;
mod header;
mod lambda;
mod literal;
mod memory;
mod method;
mod mirror;
mod names;
mod points_to;
mod print;
mod protect;
mod prune;
mod simplify;
mod site;
mod structure;
mod subject;
mod tree;
mod value;

pub use class::write;
pub use compile::{compile, compile_accepted};

use std::str::FromStr;
use thiserror::Error;

/// The degree to which an abstraction follows its class (thesis §9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// The class itself, without abstraction.
    None,
    /// Bodies return any value of the right type.
    Shallow,
    /// Bodies also call other objects, which are created on the spot.
    Deep,
    /// Bodies also remember the objects that they were given, and use those.
    Mnemonic,
}

impl Policy {
    pub const ALL: [Policy; 4] = [Policy::None, Policy::Shallow, Policy::Deep, Policy::Mnemonic];

    pub fn name(self) -> &'static str {
        match self {
            Policy::None => "none",
            Policy::Shallow => "shallow",
            Policy::Deep => "deep",
            Policy::Mnemonic => "mnemonic",
        }
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(name: &str) -> Result<Policy, UnknownPolicy> {
        let found = Policy::ALL.into_iter().find(|policy| policy.name() == name);
        found.ok_or_else(|| UnknownPolicy(name.to_owned()))
    }
}

/// A policy with a name that does not exist.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("no policy {0}; there are none, shallow, deep and mnemonic")]
pub struct UnknownPolicy(String);

/// A class in Java source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// The internal name, such as `shop/Router`.
    pub class: String,
    pub source: String,
}

/// The reason for a class without an abstraction.
#[derive(Debug, Error)]
pub enum Error {
    #[error("there is no class {0} on the class path")]
    NoSuchClass(String),
    #[error("{class} cannot be abstracted: {reason}")]
    NotReplaceable { class: String, reason: String },
    #[error("no JDK found; set JAVA_HOME, or put javac on the PATH")]
    NoCompiler,
    #[error("cannot write {path}: {reason}")]
    Write { path: std::path::PathBuf, reason: std::io::Error },
    #[error("the abstraction of {class} does not compile\n{output}")]
    Compile { class: String, output: String },
    #[error(transparent)]
    ClassPath(#[from] lapidary_jvm::ClassPathError),
}
