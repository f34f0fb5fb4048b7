//! The part that all Java crates of Lapidary share: where classes come from, how they relate, and
//! the meaning of the names in them.
//!
//! - [`FieldType`] and [`MethodType`] are descriptors; [`ClassSignature`], [`MethodSignature`] and
//!   [`GenericType`] are generic signatures.
//! - [`MethodName`] is the notation of a method for people and other programs.
//! - [`read_jar`] and [`write_jar`] read and write jars from untrusted sources.
//! - [`ClassPath`] finds classes in directories, jars and the installed JDK ([`Platform`]).
//! - [`Hierarchy`] knows supertypes, resolves fields and methods, selects the method that a call
//!   runs, and checks access. It loads library classes on demand and tolerates missing ones.
//! - [`disassemble`] writes a class as text for people.
//! - [`typing`] checks method bodies, lists the facts they rely on, and makes edited ones valid
//!   again.
//!
//! Architecture invariant: this crate answers questions about classes and knows nothing of
//! reduction. No input makes it panic.

mod archive;
mod class_path;
mod cursor;
mod descriptor;
mod disassembly;
mod hierarchy;
mod keyword;
mod method_name;
mod resolution;
#[cfg(test)]
mod sample;
mod signature;
pub mod typing;

pub use archive::{ArchiveError, Compression, Jar, JarEntry, Limits, Oddity, OddityKind, read_jar, write_jar};
pub use class_path::{ClassPath, ClassPathError, DEFAULT_RELEASE, Platform, PlatformClass};
pub use cursor::SyntaxError;
pub use descriptor::{BaseType, FieldType, MAX_DIMENSIONS, MethodType, package};
pub use disassembly::disassemble;
pub use hierarchy::{Answer, ClassId, Edge, EdgeKind, FieldId, Hierarchy, MethodId};
pub use keyword::{KEYWORDS, is_keyword};
pub use method_name::{MethodName, MethodNameError, decoded_name, encoded_name};
pub use resolution::{Declarations, Resolution, Selection};
pub use signature::{
    ClassSignature, ClassType, GenericType, MAX_DEPTH, Mentions, MethodSignature, Segment, TypeArgument, TypeParameter,
    TypeScope,
};
