//! C and C++ as libclang sees them: a syntax tree of our own, with references resolved.
//!
//! Everything that needs libclang is here; what leaves this crate is plain data. libclang is loaded when it is first
//! needed, so that Lapidary builds and runs where there is none.

mod check;
mod directives;
mod index;
mod kind;
mod lexer;
mod library;
mod reader;
mod text;
mod tree;
mod types;
mod unit;
mod walk;

pub use check::{Complaint, complaints_about_declarations};
pub use directives::{Directive, DirectiveKind, directives};
pub use kind::Kind;
pub use lexer::{Token, TokenKind, tokens};
pub use library::{LoadError, is_available};
pub use reader::Reader;
pub use tree::{Entity, EntityId, FileId, Inclusion, Mark, Marks, Node, NodeId, SourceFile, Syntax};
pub use types::{Type, TypeClass, TypeId};
pub use unit::{Compilation, ParseError, Sources, parse};
