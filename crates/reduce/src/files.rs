//! Candidates as values: one named file, or a named directory of files.
//!
//! A [`FileTree`] is cheap to clone, compared and cached by content ([`FileTree::key`]), and never
//! tied to a place on disk. So a candidate can be judged here, in a warm worker, or on another
//! machine.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Bytes that are shared between candidates and hashed at most once.
#[derive(Clone)]
pub struct Blob(Arc<Shared>);

struct Shared {
    bytes: Vec<u8>,
    key: OnceLock<Key>,
}

impl Blob {
    /// The hash of the bytes.
    pub fn key(&self) -> Key {
        *self.0.key.get_or_init(|| Key(*blake3::hash(&self.0.bytes).as_bytes()))
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Blob(Arc::new(Shared { bytes, key: OnceLock::new() }))
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Self {
        text.as_bytes().to_vec().into()
    }
}

impl Deref for Blob {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0.bytes
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.bytes == other.0.bytes
    }
}

impl Eq for Blob {}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0.bytes))
    }
}

/// A content hash (BLAKE3), printed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// Parses the hexadecimal form.
    pub fn parse(hex: &str) -> Option<Key> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(Key(bytes))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A file, a link or an empty directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File {
        /// The bytes of the file.
        content: Blob,
        /// Whether its owner may execute it.
        executable: bool,
    },
    /// A symbolic link.
    Link {
        /// The path that the link contains, not resolved.
        target: PathBuf,
    },
    /// A directory without entries.
    EmptyDirectory,
}

impl Entry {
    /// A file that is not executable.
    pub fn file(content: impl Into<Blob>) -> Self {
        Entry::File { content: content.into(), executable: false }
    }

    /// The size of a file; links and directories have none.
    pub fn bytes(&self) -> u64 {
        match self {
            Entry::File { content, .. } => content.len() as u64,
            Entry::Link { .. } | Entry::EmptyDirectory => 0,
        }
    }
}

/// The size of a candidate, compared by bytes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// The bytes of all files together.
    pub bytes: u64,
    /// How many files, links and empty directories there are.
    pub entries: usize,
}

/// A candidate: a file, or a directory whose entries have relative paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTree {
    name: String,
    content: Content,
}

/// The contents of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// One file or link.
    File(Entry),
    /// The entries of a directory by their relative paths.
    Directory(BTreeMap<PathBuf, Entry>),
}

impl FileTree {
    /// A file that is not executable.
    pub fn file(name: impl Into<String>, content: impl Into<Blob>) -> Self {
        FileTree { name: name.into(), content: Content::File(Entry::file(content)) }
    }

    /// A single file or link.
    pub fn single(name: impl Into<String>, entry: Entry) -> Self {
        FileTree { name: name.into(), content: Content::File(entry) }
    }

    /// A directory with these entries, by their relative paths.
    pub fn directory(name: impl Into<String>, entries: BTreeMap<PathBuf, Entry>) -> Self {
        FileTree { name: name.into(), content: Content::Directory(entries) }
    }

    /// Renames the tree; its files stay the same.
    pub fn named(self, name: impl Into<String>) -> Self {
        FileTree { name: name.into(), ..self }
    }

    /// The name under which the test finds the candidate.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file, or the entries of the directory.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Whether it is a directory.
    pub fn is_directory(&self) -> bool {
        matches!(self.content, Content::Directory(_))
    }

    /// Every entry with its path; a single file has the empty path.
    pub fn entries(&self) -> Box<dyn Iterator<Item = (&Path, &Entry)> + '_> {
        match &self.content {
            Content::File(entry) => Box::new(std::iter::once((Path::new(""), entry))),
            Content::Directory(entries) => Box::new(entries.iter().map(|(path, entry)| (path.as_path(), entry))),
        }
    }

    /// The entry at a path inside the directory; a single file has the empty path.
    pub fn entry(&self, path: &Path) -> Option<&Entry> {
        match &self.content {
            Content::File(entry) => path.as_os_str().is_empty().then_some(entry),
            Content::Directory(entries) => entries.get(path),
        }
    }

    /// The content of a single file. `None` for a directory or a link.
    pub fn only_file(&self) -> Option<&Blob> {
        match &self.content {
            Content::File(Entry::File { content, .. }) => Some(content),
            Content::File(_) | Content::Directory(_) => None,
        }
    }

    /// A copy of this tree in which the file at `path` has other content. The path of a single file
    /// is empty.
    pub fn with_file(&self, path: &Path, content: Blob) -> FileTree {
        let mut result = self.clone();
        let entry = match &mut result.content {
            Content::File(entry) => Some(entry),
            Content::Directory(entries) => entries.get_mut(path),
        };
        if let Some(Entry::File { content: old, .. }) = entry {
            *old = content;
        }
        result
    }

    /// The sum of all file sizes.
    pub fn bytes(&self) -> u64 {
        self.entries().map(|(_, entry)| entry.bytes()).sum()
    }

    /// The size that a reduction minimises.
    pub fn size(&self) -> Size {
        Size { bytes: self.bytes(), entries: self.entries().count() }
    }

    /// The content key. Two trees have the same key if and only if no test can tell them apart.
    pub fn key(&self) -> Key {
        let mut hasher = blake3::Hasher::new();
        let mut field = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        field(self.name.as_bytes());
        field(&[u8::from(self.is_directory())]);
        for (path, entry) in self.entries() {
            field(path.as_os_str().as_encoded_bytes());
            match entry {
                Entry::File { content, executable } => {
                    field(&[0, u8::from(*executable)]);
                    field(&content.key().0);
                }
                Entry::Link { target } => {
                    field(&[1]);
                    field(target.as_os_str().as_encoded_bytes());
                }
                Entry::EmptyDirectory => field(&[2]),
            }
        }
        Key(*hasher.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_sees_names_contents_and_flags() {
        let base = FileTree::file("a.c", "int x;");
        assert_eq!(base.key(), FileTree::file("a.c", "int x;").key());
        assert_ne!(base.key(), FileTree::file("b.c", "int x;").key());
        assert_ne!(base.key(), FileTree::file("a.c", "int y;").key());
        let executable = Entry::File { content: "int x;".into(), executable: true };
        assert_ne!(base.key(), FileTree::single("a.c", executable).key());
    }

    #[test]
    fn a_key_survives_printing() {
        let key = FileTree::file("a", "b").key();
        assert_eq!(Key::parse(&key.to_string()), Some(key));
        assert_eq!(Key::parse("12"), None);
    }
}
