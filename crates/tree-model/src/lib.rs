//! Models of text, of bytes, of directories, and of any language with a tree-sitter grammar.

mod language;
mod languages;
mod library;
mod single;
mod slots;
mod tree;

pub use language::{Language, LanguageError, language_from_library, language_named, language_of};

use lapidary_reduce::{Entry, FileTree, Model};
use single::{OneFile, Text};
use std::path::Path;

/// What the items of a model are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nodes of the syntax tree.
    Tree(Language),
}

/// The model of one file of a candidate (the empty path for a candidate that is a file); `None` when there is nothing
/// to take away in it that this kind of model knows of.
pub fn model(kind: &Kind, tree: &FileTree, path: &Path) -> Option<Box<dyn Model>> {
    let text = text_model(kind, content(tree, path)?)?;
    Some(Box::new(OneFile { tree: tree.clone(), path: path.to_path_buf(), text }))
}

fn content<'t>(tree: &'t FileTree, path: &Path) -> Option<&'t [u8]> {
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(content),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    }
}

fn text_model(kind: &Kind, content: &[u8]) -> Option<Box<dyn Text>> {
    match kind {
        Kind::Tree(language) => Some(Box::new(tree::TreeModel::new(language, content)?)),
    }
}
