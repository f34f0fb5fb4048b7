//! Jars on their way in and out: a reduction works on the tree of files inside, a test is given a jar.

use lapidary_jvm::{ArchiveError, Compression, Limits, read_jar, write_jar};
use lapidary_reduce::{Cancel, Entry, FileTree, Judgment, Key, Predicate, PredicateError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A jar that was taken apart, and can be put together again from what is left of it.
pub struct Jar {
    whole: FileTree,
    tree: FileTree,
    key: Key,
    /// The entries in the order in which they stood in the jar.
    order: Vec<String>,
    /// What a user should know about the jar.
    pub notes: Vec<String>,
}

impl Jar {
    /// Takes a jar apart. Nothing is written anywhere: names that would be harmful as paths stay names.
    pub fn open(whole: &FileTree) -> Result<Jar, ArchiveError> {
        let bytes = match whole.entry(Path::new("")) {
            Some(Entry::File { content, .. }) => content.clone(),
            _ => Vec::new().into(),
        };
        let read = read_jar(&bytes, &Limits::default())?;
        let mut notes: Vec<String> = read.oddities.iter().map(ToString::to_string).collect();
        let mut entries = BTreeMap::new();
        let mut order = Vec::new();
        let mut signatures = 0;
        for entry in read.entries.into_iter().filter(|entry| !entry.is_directory()) {
            if is_signature(&entry.name) {
                signatures += 1;
                continue;
            }
            match entries.insert(PathBuf::from(&entry.name), Entry::file(entry.bytes.to_vec())) {
                None => order.push(entry.name),
                Some(_) => notes.push(format!("of the entries called {} the last one counts", entry.name)),
            }
        }
        if signatures > 0 {
            notes.push("the jar is signed; its signature cannot hold for anything smaller and is dropped".to_owned());
        }
        let tree = FileTree::directory(whole.name(), entries);
        Ok(Jar { whole: whole.clone(), key: tree.key(), tree, order, notes })
    }

    /// The files in the jar.
    pub fn tree(&self) -> &FileTree {
        &self.tree
    }

    /// A jar of what is left; the original if that is everything.
    pub fn pack(&self, tree: &FileTree, compression: Compression) -> Result<FileTree, ArchiveError> {
        if tree.key() == self.key {
            return Ok(self.whole.clone());
        }
        let left = self.order.iter().filter_map(|name| match tree.entry(Path::new(name)) {
            Some(Entry::File { content, .. }) => Some((name.as_str(), &**content)),
            _ => None,
        });
        let content = write_jar(left, compression)?.into();
        let executable = matches!(self.whole.entry(Path::new("")), Some(Entry::File { executable: true, .. }));
        Ok(FileTree::single(self.whole.name(), Entry::File { content, executable }))
    }
}

/// Gives a test jars where the reduction has trees of files.
pub struct InJar<'a> {
    pub jar: &'a Jar,
    pub test: &'a dyn Predicate,
}

impl Predicate for InJar<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let packed = self.jar.pack(candidate, Compression::Stored);
        let packed = packed.map_err(|error| PredicateError::Fatal(format!("cannot make a jar: {error}")))?;
        self.test.judge(&packed, cancel)
    }
}

/// The files that hold the signature of a signed jar.
fn is_signature(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let Some(file) = upper.strip_prefix("META-INF/").filter(|file| !file.contains('/')) else { return false };
    [".SF", ".RSA", ".DSA", ".EC"].iter().any(|extension| file.ends_with(extension)) || file.starts_with("SIG-")
}
