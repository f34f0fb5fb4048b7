//! Inputs that contain files: jars and other zip archives (docx, epub, apk), and single class
//! files. A reduction works on the tree of files inside; a test receives what the user has.

use crate::java::{is_called_jar, is_java};
use anyhow::anyhow;
use lapidary_classfile::Class;
use lapidary_java_model::Jar;
use lapidary_jvm::Compression;
use lapidary_reduce::{Cancel, Entry, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An input that contains files.
pub(crate) enum Container {
    /// A zip archive.
    Archive(Box<Jar>),
    /// A class file. The tree has it where its name says.
    ClassFile { tree: FileTree, executable: bool },
}

/// The content of an input that is a container, and remarks about it.
#[derive(Default)]
pub(crate) struct Found {
    pub container: Option<Container>,
    pub notes: Vec<String>,
}

const CLASS: &[u8] = &[0xca, 0xfe, 0xba, 0xbe];
const ZIP: &[u8] = b"PK\x03\x04";

impl Container {
    /// Opens an input that is a container, unless the user wants another kind.
    pub fn of(input: &FileTree, kind: Option<&str>) -> anyhow::Result<Found> {
        let Some(Entry::File { content, executable }) = input.entry(Path::new("")) else { return Ok(Found::default()) };
        let is_wanted = kind.is_none_or(|kind| kind == "dir" || kind.starts_with("java"));
        match () {
            () if !is_wanted => Ok(Found::default()),
            () if content.starts_with(CLASS) => {
                Ok(Found { container: class_file(input, content, *executable), notes: Vec::new() })
            }
            () if content.starts_with(ZIP) || is_called_jar(input.name()) => archive(input, kind),
            () => Ok(Found::default()),
        }
    }

    /// The files inside.
    pub fn tree(&self) -> &FileTree {
        match self {
            Container::Archive(jar) => jar.tree(),
            Container::ClassFile { tree, .. } => tree,
        }
    }

    /// Packs the files that are left. Returns `None` if nothing is left of a class file.
    pub fn pack(&self, tree: &FileTree, compression: Compression) -> anyhow::Result<Option<FileTree>> {
        match self {
            Container::Archive(jar) => Ok(Some(jar.pack(tree, compression)?)),
            Container::ClassFile { executable, .. } => {
                let class = tree.entries().find_map(|(_, entry)| match entry {
                    Entry::File { content, .. } => Some(content.clone()),
                    _ => None,
                });
                let entry = |content| Entry::File { content, executable: *executable };
                Ok(class.map(|content| FileTree::single(tree.name(), entry(content))))
            }
        }
    }

    /// Unpacks a result that [`Container::pack`] made.
    pub fn unpack(&self, packed: &FileTree) -> anyhow::Result<FileTree> {
        let opened = match (self, packed.entry(Path::new(""))) {
            (Container::ClassFile { .. }, Some(Entry::File { content, executable })) => {
                class_file(packed, content, *executable)
            }
            _ => Some(Container::Archive(Box::new(Jar::open(packed)?))),
        };
        let opened = opened.ok_or_else(|| anyhow!("{} is not a class file", packed.name()))?;
        Ok(opened.tree().clone())
    }

    pub fn is_class_file(&self) -> bool {
        matches!(self, Container::ClassFile { .. })
    }
}

/// A class file that can be read. Programs for macOS begin with the same bytes.
fn class_file(input: &FileTree, content: &[u8], executable: bool) -> Option<Container> {
    let class = Class::read(content).ok()?;
    let path = PathBuf::from(format!("{}.class", class.name.as_str()));
    let is_plain = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let path = if is_plain { path } else { PathBuf::from(input.name()) };
    let tree = FileTree::directory(input.name(), BTreeMap::from([(path, Entry::file(content.to_vec()))]));
    Some(Container::ClassFile { tree, executable })
}

/// An archive that can be read. Any other is reduced as bytes, unless it claims to be a jar.
fn archive(input: &FileTree, kind: Option<&str>) -> anyhow::Result<Found> {
    let name = input.name();
    match Jar::open(input) {
        Ok(jar) => {
            let mut notes = jar.notes.clone();
            if kind.is_none() && !is_java(input) {
                notes.insert(
                    0,
                    format!(
                        "{name} is an archive, so the files in it are reduced; --as bytes reduces it as plain bytes"
                    ),
                );
            }
            Ok(Found { container: Some(Container::Archive(Box::new(jar))), notes })
        }
        Err(error) if kind.is_some() || is_called_jar(name) => {
            Err(anyhow!("{name}: {error}; --as bytes reduces it as plain bytes"))
        }
        Err(error) => {
            let notes = vec![format!("{name} cannot be unpacked and is reduced as plain bytes: {error}")];
            Ok(Found { container: None, notes })
        }
    }
}

/// Gives packed candidates to a test.
pub(crate) struct Packing<'a> {
    pub container: Option<&'a Container>,
    pub test: &'a dyn Predicate,
}

impl Predicate for Packing<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let Some(container) = self.container else { return self.test.judge(candidate, cancel) };
        let packed = container.pack(candidate, Compression::Stored);
        match packed.map_err(|error| PredicateError::Fatal(format!("cannot pack a candidate: {error:#}")))? {
            Some(packed) => self.test.judge(&packed, cancel),
            None => Ok(Judgment::new(Verdict::Uninteresting, "nothing is left of the class")),
        }
    }
}
