//! C and C++ as libclang sees them: a syntax tree of our own with resolved references.
//!
//! This crate contains everything that needs libclang and returns plain data. It loads libclang on
//! first use, so Lapidary builds and runs on machines without it.
//!
//! Code that breaks a compiler may break libclang too. So libclang runs in child processes, if the
//! program's `main` allows that (see [`lapidary_foreign::run_if_asked`] and [`SERVICE`]). A text on
//! which a child dies is a [`ParseError`], and the next text gets a new child.

mod check;
mod compilation;
mod complaint;
mod directives;
mod given;
mod includes;
mod index;
mod kept_unit;
mod kind;
mod language;
mod lexer;
mod library;
mod path;
mod reader;
mod service;
mod text;
mod tree;
mod types;
mod unit;
mod walk;

pub use compilation::{Compilation, SourceFile, Sources};
pub use complaint::Complaint;
pub use directives::{Directive, DirectiveKind, directives};
pub use kind::Kind;
pub use language::Language;
pub use lexer::{Token, TokenKind, tokens};
pub use library::LoadError;
pub use reader::{Reader, complaints_about_declarations, is_available, parse};
pub use service::SERVICE;
pub use tree::{Entity, EntityId, FileId, Inclusion, Mark, Marks, Node, NodeId, Syntax};
pub use types::{Type, TypeClass, TypeId};
pub use unit::ParseError;
