//! Unpacking and packing of jars: a reduction works on the tree of files inside, while a test
//! receives a jar.

use lapidary_jvm::{ArchiveError, Compression, Limits, OddityKind, read_jar, write_jar};
use lapidary_reduce::{Blob, Entry, FileTree, Key};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A jar that was unpacked, and can be packed again from the files that are left.
pub struct Jar {
    whole: FileTree,
    tree: FileTree,
    key: Key,
    /// The entries in the order of the jar. Those outside the tree come with their content.
    order: Vec<(String, Option<Blob>)>,
    /// Notes about the jar for the user.
    pub notes: Vec<String>,
}

impl Jar {
    /// Unpacks a jar in memory. Nothing is written to disk, so names that would be harmful as paths
    /// stay names. Entries whose names are not file names are kept outside the tree, and always
    /// stay.
    pub fn open(whole: &FileTree) -> Result<Jar, ArchiveError> {
        let bytes = whole.only_file().cloned().unwrap_or_else(|| Vec::new().into());
        let read = read_jar(&bytes, &Limits::default())?;
        let mut notes: Vec<String> =
            read.oddities.iter().map(|oddity| format!("{oddity}; {}", done_about(&oddity.kind))).collect();
        let mut entries = BTreeMap::new();
        let mut order = Vec::new();
        let (signatures, others): (Vec<_>, Vec<_>) =
            read.entries.into_iter().filter(|entry| !entry.is_directory()).partition(|entry| is_signature(&entry.name));
        for entry in others {
            let content = Blob::from(entry.bytes.to_vec());
            if !is_its_path(&entry.name) {
                order.push((entry.name, Some(content)));
            } else if entries.insert(PathBuf::from(&entry.name), Entry::file(content)).is_none() {
                // If several entries share a name, the last counts, as it does for the JVM.
                order.push((entry.name, None));
            }
        }
        let mut outside = order.iter().filter(|(_, content)| content.is_some());
        if let Some((first, _)) = outside.next() {
            let (count, first) = (1 + outside.count(), first.escape_debug());
            notes.push(match count {
                1 => format!("{first} stays whatever the test says, as no file can have its name"),
                _ => format!(
                    "{count} entries stay whatever the test says, as no file can have their names, {first} for one"
                ),
            });
        }
        if !signatures.is_empty() {
            notes.push("the jar is signed; its signature cannot hold for anything smaller and is dropped".to_owned());
        }
        let tree = FileTree::directory(whole.name(), entries);
        Ok(Jar { whole: whole.clone(), key: tree.key(), tree, order, notes })
    }

    /// The files in the jar.
    pub fn tree(&self) -> &FileTree {
        &self.tree
    }

    /// Packs the files that are left into a jar. Returns the original if nothing was removed.
    pub fn pack(&self, tree: &FileTree, compression: Compression) -> Result<FileTree, ArchiveError> {
        if tree.key() == self.key {
            return Ok(self.whole.clone());
        }
        let left = self.order.iter().filter_map(|(name, outside)| match (outside, tree.entry(Path::new(name))) {
            (Some(content), _) | (None, Some(Entry::File { content, .. })) => Some((name.as_str(), &**content)),
            _ => None,
        });
        let content = write_jar(left, compression)?.into();
        let executable = matches!(self.whole.entry(Path::new("")), Some(Entry::File { executable: true, .. }));
        Ok(FileTree::single(self.whole.name(), Entry::File { content, executable }))
    }
}

/// The treatment of an odd entry, for a message.
fn done_about(kind: &OddityKind) -> &'static str {
    match kind {
        OddityKind::LeavesDirectory => "it stays an entry that can be removed like any other, and nothing is unpacked",
        OddityKind::Roundabout => "it stays as it is",
        OddityKind::Shadowed => "that one counts, as for the JVM, and this one is dropped",
        OddityKind::DiffersInCase { .. } | OddityKind::FileAndDirectory => {
            "both stay entries that can be removed like any other, and nothing is unpacked"
        }
        OddityKind::Link => "it stays an entry that can be removed like any other, with the target as its content",
        OddityKind::NameNotUnicode => "it is read as Latin-1",
        OddityKind::WrongSize { .. } => "the bytes that are there count",
    }
}

/// Returns whether a name survives conversion to a path. `a//b` and `a/./b` do not: as paths both
/// equal `a/b`, whereas for the JVM these are three entries.
fn is_its_path(name: &str) -> bool {
    Path::new(name).components().collect::<PathBuf>().as_os_str() == name
}

/// Returns whether a file holds the signature of a signed jar.
fn is_signature(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let Some(file) = upper.strip_prefix("META-INF/").filter(|file| !file.contains('/')) else { return false };
    [".SF", ".RSA", ".DSA", ".EC"].iter().any(|extension| file.ends_with(extension)) || file.starts_with("SIG-")
}
