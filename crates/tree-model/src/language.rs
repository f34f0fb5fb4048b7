//! A language: its grammar, the kinds that fit in each place, and the few facts that a grammar does
//! not state.

use crate::languages::{BUILT_IN, Knowledge, Row};
use crate::library;
use crate::parsed::Parsed;
use crate::parsing::{Asked, Parser, try_loading};
use crate::remembered::remembered;
use crate::slots::Slots;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};
use thiserror::Error;

/// A language with a tree-sitter grammar. Clones share everything.
#[derive(Clone)]
pub struct Language(Arc<Inner>);

struct Inner {
    name: String,
    grammar: tree_sitter::Language,
    node_types: NodeTypes,
    knowledge: &'static Knowledge,
    /// The text of the `tags` and `locals` queries that the grammar ships.
    queries: Vec<String>,
    slots: OnceLock<Slots>,
    /// The path of the grammar's library, if it was loaded from one.
    library: Option<PathBuf>,
}

enum NodeTypes {
    Static(&'static str),
    Read(String),
}

/// The reason for a language that cannot be used.
#[derive(Debug, Error)]
pub enum LanguageError {
    #[error(
        "unknown language `{name}`; known are {known}; any other works with its grammar library: PATH/libtree-sitter-NAME.so"
    )]
    Unknown { name: String, known: String },
    #[error("cannot load the grammar library {path}: {reason}")]
    Load { path: PathBuf, reason: String },
    #[error("{path} has no function `{symbol}`; say which grammar it holds with {path}:NAME")]
    Symbol { path: PathBuf, symbol: String },
    #[error("the grammar in {path} was made for another tree-sitter (ABI {abi}, we read {oldest} to {newest})")]
    Version { path: PathBuf, abi: usize, oldest: usize, newest: usize },
}

/// The language of a file, by its extension, then by its `#!` line.
pub fn language_of(path: &Path, content: &[u8]) -> Option<Language> {
    let by_extension = path.extension().and_then(|extension| {
        let extension = extension.to_str()?.to_ascii_lowercase();
        BUILT_IN.iter().position(|row| row.extensions.contains(&extension.as_str()))
    });
    by_extension.or_else(|| by_shebang(content)).map(built_in)
}

/// A built-in language by name.
pub fn language_named(name: &str) -> Result<Language, LanguageError> {
    let wanted = name.to_ascii_lowercase();
    let found = BUILT_IN.iter().position(|row| row.name == wanted || row.aliases.contains(&wanted.as_str()));
    found.map(built_in).ok_or_else(|| LanguageError::Unknown { name: name.to_string(), known: known_names() })
}

/// Loads a language from a grammar library: `libtree-sitter-foo.so`, `foo.so` or `PATH:NAME`. The
/// node types and queries that grammars ship are read from the same directory if they are there.
pub fn language_from_library(path: &Path) -> Result<Language, LanguageError> {
    try_loading(path)?;
    let loaded = library::load(path)?;
    let node_types = loaded.node_types.map_or(NodeTypes::Static("[]"), NodeTypes::Read);
    let knowledge = BUILT_IN.iter().find(|row| row.name == loaded.name).map_or(&Knowledge::NONE, |row| &row.knowledge);
    Ok(Language(Arc::new(Inner {
        name: loaded.name,
        grammar: loaded.grammar,
        node_types,
        knowledge,
        queries: loaded.queries,
        slots: OnceLock::new(),
        library: Some(path.to_owned()),
    })))
}

impl Language {
    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn grammar(&self) -> &tree_sitter::Language {
        &self.0.grammar
    }

    pub(crate) fn knowledge(&self) -> &'static Knowledge {
        self.0.knowledge
    }

    pub(crate) fn slots(&self) -> &Slots {
        self.0.slots.get_or_init(|| {
            let json = match &self.0.node_types {
                NodeTypes::Static(json) => json,
                NodeTypes::Read(json) => json.as_str(),
            };
            Slots::new(&self.0.grammar, json)
        })
    }

    /// Returns whether the text is free of syntax errors.
    pub fn accepts(&self, text: &[u8]) -> bool {
        self.parse(text).is_some_and(|parsed| parsed.errors == 0)
    }

    /// Returns whether the grammar can read the text, with or without syntax errors. It cannot if
    /// it would crash or take too long.
    pub fn can_read(&self, text: &[u8]) -> bool {
        self.parse(text).is_some()
    }

    /// The answers of the grammar and its queries about a text; `None` if it is not usable for this text.
    pub(crate) fn parse(&self, text: &[u8]) -> Option<Arc<Parsed>> {
        remembered(self, text, || Some(Arc::new(self.parser()?.parse(text, Asked::Definitions)?)))
    }

    pub(crate) fn parser(&self) -> Option<Parser> {
        Parser::new(&self.0.grammar, self.0.library.clone(), &self.0.queries)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name && self.0.grammar == other.0.grammar
    }
}

impl Eq for Language {}

fn built_in(index: usize) -> Language {
    static LOADED: LazyLock<Vec<OnceLock<Language>>> =
        LazyLock::new(|| BUILT_IN.iter().map(|_| OnceLock::new()).collect());
    LOADED[index].get_or_init(|| from_row(&BUILT_IN[index])).clone()
}

fn from_row(row: &'static Row) -> Language {
    Language(Arc::new(Inner {
        name: row.name.to_string(),
        grammar: row.grammar.into(),
        node_types: NodeTypes::Static(row.node_types),
        knowledge: &row.knowledge,
        queries: row.queries.iter().map(|query| query.to_string()).collect(),
        slots: OnceLock::new(),
        library: None,
    }))
}

fn by_shebang(content: &[u8]) -> Option<usize> {
    let line = content.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let words = || line.split([' ', '\t', '/', '\r']).filter(|word| !word.is_empty());
    BUILT_IN.iter().position(|row| words().any(|word| row.shebangs.iter().any(|name| is_version_of(word, name))))
}

/// Returns whether a word is a version of a name, as `python3.11` is of `python`.
fn is_version_of(word: &str, name: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

fn known_names() -> String {
    BUILT_IN.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(path: &str, content: &str) -> Option<String> {
        language_of(Path::new(path), content.as_bytes()).map(|language| language.name().to_string())
    }

    #[test]
    fn the_extension_tells_the_language_and_else_the_shebang() {
        assert_eq!(name_of("a.C", "").as_deref(), Some("c"));
        assert_eq!(name_of("x/a.hpp", "").as_deref(), Some("cpp"));
        assert_eq!(name_of("run", "#!/usr/bin/env python3\nx").as_deref(), Some("python"));
        assert_eq!(name_of("run", "#!/bin/bash -e\nx").as_deref(), Some("bash"));
        assert_eq!(name_of("notes.txt", "hello"), None);
    }

    #[test]
    fn an_unknown_language_is_told_with_the_known_ones() {
        let message = language_named("cobol").unwrap_err().to_string();
        assert!(message.contains("cobol") && message.contains("python") && message.contains(".so"), "{message}");
    }

    #[test]
    fn every_built_in_grammar_is_usable() {
        for row in BUILT_IN {
            let language = language_named(row.name).unwrap();
            assert!(language.parse(b"x").is_some(), "{}", row.name);
            assert!(language.slots().is_known(), "{}", row.name);
            let query = tree_sitter::Query::new(language.grammar(), &language.0.queries.join("\n"));
            assert!(query.is_ok(), "{}: {:?}", row.name, query.err());
        }
    }
}
