//! Models of text, of bytes, of directories, and of any language with a tree-sitter grammar.

mod apart;
mod blanks;
mod bytes;
mod combined;
mod directory;
mod language;
mod languages;
mod lexer;
mod library;
mod lines;
mod literals;
mod names;
mod parsed;
mod parsing;
mod patches;
mod remembered;
mod single;
mod slots;
mod tokens;
mod tree;

pub use directory::directory;
pub use language::{Language, LanguageError, language_from_library, language_named, language_of};
pub use parsing::SERVICE;

use combined::SideBySide;
use lapidary_reduce::{Entry, FileTree, Model};
use single::{RenamedFiles, Text};
use std::path::{Path, PathBuf};
use tree::{Offers, TreeModel};

/// The granularity of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nodes of the syntax tree.
    Tree(Language),
    /// Removable nodes of the syntax tree, without any replacements: a coarse first view.
    Outline(Language),
    /// Lines, and blocks of them.
    Lines,
    /// Tokens and pairs of brackets.
    Tokens(Option<Language>),
    /// Names; without the item the name becomes a short one.
    Names(Option<Language>),
    /// Numbers and strings; without the item they become short ones.
    Literals(Option<Language>),
    /// Runs of white space and comments.
    Blanks(Option<Language>),
    /// Bytes, or characters.
    Bytes,
    /// Files and directories.
    Directory,
}

/// Builds the model of one file of a candidate (the empty path for a candidate that is a file);
/// `None` if this kind of model finds nothing to remove.
pub fn model(kind: &Kind, tree: &FileTree, path: &Path) -> Option<Box<dyn Model>> {
    match kind {
        Kind::Directory => directory(tree),
        _ => combined(tree, |other, _| (other == path).then(|| kind.clone())),
    }
}

/// Builds one model of all files of a candidate for which `kind_of` gives a kind. A name is the
/// same item in every file.
pub fn combined(tree: &FileTree, kind_of: impl Fn(&Path, &[u8]) -> Option<Kind>) -> Option<Box<dyn Model>> {
    let files: Vec<(PathBuf, Kind, &[u8])> = tree
        .entries()
        .filter_map(|(path, _)| {
            let content = content(tree, path)?;
            Some((path.to_path_buf(), kind_of(path, content)?, content))
        })
        .collect();
    let named = |kind: &Kind| matches!(kind, Kind::Names(_));
    if !files.is_empty() && files.iter().all(|(_, kind, _)| named(kind)) {
        return renamed(tree, &files);
    }
    let texts: Vec<(PathBuf, Box<dyn Text>)> =
        files.into_iter().filter_map(|(path, kind, content)| Some((path, text_model(&kind, content)?))).collect();
    (!texts.is_empty()).then(|| Box::new(SideBySide::new(tree, texts)) as Box<dyn Model>)
}

fn renamed(tree: &FileTree, files: &[(PathBuf, Kind, &[u8])]) -> Option<Box<dyn Model>> {
    let texts: Vec<(Option<&Language>, &[u8])> = files
        .iter()
        .filter_map(|(_, kind, content)| match kind {
            Kind::Names(language) => Some((language.as_ref(), *content)),
            _ => None,
        })
        .collect();
    let paths = files.iter().map(|(path, ..)| path.clone()).collect();
    Some(Box::new(RenamedFiles::new(tree, paths, names::names(&texts)?)))
}

fn content<'t>(tree: &'t FileTree, path: &Path) -> Option<&'t [u8]> {
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(content),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    }
}

fn text_model(kind: &Kind, content: &[u8]) -> Option<Box<dyn Text>> {
    match kind {
        Kind::Tree(language) => Some(Box::new(TreeModel::new(language, content, Offers::All)?)),
        Kind::Outline(language) => Some(Box::new(TreeModel::new(language, content, Offers::Deletions)?)),
        Kind::Lines => lines::lines(content),
        Kind::Tokens(language) => tokens::tokens(language.as_ref(), content),
        Kind::Literals(language) => literals::literals(language.as_ref(), content),
        Kind::Blanks(language) => blanks::blanks(language.as_ref(), content),
        Kind::Bytes => bytes::bytes(content),
        Kind::Names(_) | Kind::Directory => None,
    }
}
