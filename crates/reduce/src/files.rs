//! What a candidate is made of: one named file, or a named directory of files.
//!
//! A [`FileTree`] is a value: cheap to clone, compared and cached by content ([`FileTree::key`]), never tied to a place
//! on disk, so that a candidate can be judged here, in a warm worker, or on another machine.

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

/// One thing with a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    File { content: Blob, executable: bool },
    Link { target: PathBuf },
    EmptyDirectory,
}

impl Entry {
    pub fn file(content: impl Into<Blob>) -> Self {
        Entry::File { content: content.into(), executable: false }
    }

    pub fn bytes(&self) -> u64 {
        match self {
            Entry::File { content, .. } => content.len() as u64,
            Entry::Link { .. } | Entry::EmptyDirectory => 0,
        }
    }
}

/// How large a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    pub bytes: u64,
    pub entries: usize,
}

/// A candidate: a file, or a directory whose entries have relative paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTree {
    name: String,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    File(Entry),
    Directory(BTreeMap<PathBuf, Entry>),
}

impl FileTree {
    pub fn file(name: impl Into<String>, content: impl Into<Blob>) -> Self {
        FileTree { name: name.into(), content: Content::File(Entry::file(content)) }
    }

    pub fn single(name: impl Into<String>, entry: Entry) -> Self {
        FileTree { name: name.into(), content: Content::File(entry) }
    }

    pub fn directory(name: impl Into<String>, entries: BTreeMap<PathBuf, Entry>) -> Self {
        FileTree { name: name.into(), content: Content::Directory(entries) }
    }

    /// The name under which the test finds the candidate.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn content(&self) -> &Content {
        &self.content
    }

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

    pub fn entry(&self, path: &Path) -> Option<&Entry> {
        match &self.content {
            Content::File(entry) => path.as_os_str().is_empty().then_some(entry),
            Content::Directory(entries) => entries.get(path),
        }
    }

    /// The same tree with the file at `path` (empty for a single file) holding `content`.
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

    /// How much there is to read: the sum of all file sizes.
    pub fn bytes(&self) -> u64 {
        self.entries().map(|(_, entry)| entry.bytes()).sum()
    }

    /// What a reduction makes small: the bytes, and then how many files, links and empty directories there are.
    pub fn size(&self) -> Size {
        Size { bytes: self.bytes(), entries: self.entries().count() }
    }

    /// Two trees have the same key if and only if a test could not tell them apart.
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
