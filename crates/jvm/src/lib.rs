//! What every Java part of Lapidary shares: where classes come from, how they relate, and what the names in them mean.
//!
//! - [`FieldType`] and [`MethodType`] are descriptors, [`ClassSignature`], [`MethodSignature`] and [`GenericType`]
//!   generic signatures.
//! - [`MethodName`] is how a method is written for people and other programs.
//! - [`read_jar`] and [`write_jar`] are jars without trust.
//! - [`ClassPath`] finds classes in directories, jars and the installed JDK ([`Platform`]).
//! - [`Hierarchy`] knows supertypes, resolves fields and methods, selects the method that a call runs, and checks
//!   access. It loads library classes as they are needed and lives with those that are missing.
//! - [`typing`] checks method bodies, lists what they rely on, and makes edited ones valid again.
//!
//! Architecture invariant: this crate answers questions about classes and knows nothing of reduction. No input makes it
//! panic.

mod archive;
mod class_path;
mod cursor;
mod descriptor;
mod hierarchy;
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
pub use hierarchy::{Answer, ClassId, Edge, EdgeKind, FieldId, Hierarchy, MethodId};
pub use method_name::{MethodName, MethodNameError, decoded_name, encoded_name};
pub use resolution::{Declarations, Resolution, Selection};
pub use signature::{
    ClassSignature, ClassType, GenericType, MAX_DEPTH, Mentions, MethodSignature, Segment, TypeArgument, TypeParameter,
    TypeScope,
};
