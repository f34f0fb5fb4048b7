//! C and C++ as libclang sees them: a syntax tree of our own with resolved references.
//!
//! This crate contains everything that needs libclang and returns plain data. It loads libclang on
//! first use, so Lapidary builds and runs on machines without it.

mod check;
mod compilation;
mod complaint;
mod directives;
mod given;
mod index;
mod kind;
mod language;
mod lexer;
mod library;
mod path;
mod reader;
mod text;
mod tree;
mod types;
mod unit;
mod walk;

pub use check::complaints_about_declarations;
pub use compilation::{Compilation, SourceFile, Sources};
pub use complaint::Complaint;
pub use directives::{Directive, DirectiveKind, directives};
pub use kind::Kind;
pub use language::Language;
pub use lexer::{Token, TokenKind, tokens};
pub use library::{LoadError, is_available};
pub use reader::Reader;
pub use tree::{Entity, EntityId, FileId, Inclusion, Mark, Marks, Node, NodeId, Syntax};
pub use types::{Type, TypeClass, TypeId};
pub use unit::{ParseError, parse};
