//! What every Java part of Lapidary shares: where classes come from, how they relate, and what the names in them mean.
//!
//! - [`FieldType`] and [`MethodType`] are descriptors, [`ClassSignature`], [`MethodSignature`] and [`GenericType`]
//!   generic signatures.
//! - [`read_jar`] and [`write_jar`] are jars without trust.
//!
//! Architecture invariant: this crate answers questions about classes and knows nothing of reduction. No input makes it
//! panic.

mod archive;
mod cursor;
mod descriptor;
mod signature;

pub use archive::{ArchiveError, Compression, Jar, JarEntry, Limits, Oddity, OddityKind, read_jar, write_jar};
pub use cursor::SyntaxError;
pub use descriptor::{BaseType, FieldType, MAX_DIMENSIONS, MethodType};
pub use signature::{
    ClassSignature, ClassType, GenericType, MAX_DEPTH, Mentions, MethodSignature, Segment, TypeArgument, TypeParameter,
    TypeScope,
};
