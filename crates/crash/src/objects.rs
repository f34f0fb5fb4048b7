//! Stores objects of unchanged files, for programs of several files.
//!
//! An object is found again if its source, its flags and all included files of the candidate are
//! unchanged. Files outside the candidate do not change while Lapidary runs.

use crate::build::{Source, normal};
use lapidary_reduce::{Entry, FileTree, Key};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Object files of sources that were compiled before.
pub struct ObjectStore {
    directory: PathBuf,
    count: AtomicU64,
    stored: Mutex<HashMap<Key, Vec<Stored>>>,
}

#[derive(Clone)]
struct Stored {
    object: PathBuf,
    /// The included files of the candidate, with their contents.
    included: Vec<(PathBuf, Key)>,
}

impl ObjectStore {
    pub fn new(directory: PathBuf) -> Self {
        ObjectStore { directory, count: AtomicU64::new(0), stored: Mutex::default() }
    }

    /// Forgets all objects.
    pub fn forget(&mut self) {
        self.stored.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub fn find(&self, source: &Source, tree: &FileTree) -> Option<PathBuf> {
        let stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let candidates = stored.get(&key(source, tree)?)?;
        let current = |stored: &&Stored| stored.included.iter().all(|(path, key)| content(tree, path) == Some(*key));
        candidates.iter().find(current).map(|stored| stored.object.clone())
    }

    /// Stores an object with the dependency file that the compiler wrote for it. Returns the
    /// object's new path.
    pub fn keep(&self, source: &Source, tree: &FileTree, object: &Path, dependencies: &Path) -> PathBuf {
        let kept = self.directory.join(format!("{}.o", self.count.fetch_add(1, Ordering::Relaxed)));
        let (Some(key), Ok(rule)) = (key(source, tree), std::fs::read(dependencies)) else { return object.into() };
        if std::fs::rename(object, &kept).is_err() {
            return object.to_path_buf();
        }
        let in_tree = |path: PathBuf| content(tree, &path).map(|key| (path, key));
        let included = prerequisites(&String::from_utf8_lossy(&rule)).filter_map(in_tree).collect();
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        stored.entry(key).or_default().push(Stored { object: kept.clone(), included });
        kept
    }
}

fn key(source: &Source, tree: &FileTree) -> Option<Key> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&content(tree, &source.path)?.0);
    hasher.update(source.path.as_os_str().as_encoded_bytes());
    source.flags.iter().for_each(|flag| _ = hasher.update(b"\0").update(flag.as_bytes()));
    Some(Key(*hasher.finalize().as_bytes()))
}

fn content(tree: &FileTree, path: &Path) -> Option<Key> {
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(content.key()),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    }
}

/// Returns the files after the colon of a make rule.
fn prerequisites(rule: &str) -> impl Iterator<Item = PathBuf> {
    let joined = rule.replace("\\\n", " ");
    let files = joined.split_once(": ").map_or("", |(_, files)| files).replace("\\ ", "\0");
    let words: Vec<String> = files.split_ascii_whitespace().map(|word| word.replace('\0', " ")).collect();
    words.into_iter().map(|word| normal(Path::new(&word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_its_files() {
        let found: Vec<PathBuf> = prerequisites("a.o: src/a.c src/../b.h \\\n c\\ d.h\n").collect();
        assert_eq!(found, ["src/a.c", "b.h", "c d.h"].map(PathBuf::from));
    }

    #[test]
    fn an_object_is_found_until_an_included_file_changes() {
        let entries = |header: &str| {
            let files = [("a.c", "x"), ("b.h", header), ("c.h", "y")];
            FileTree::directory("p", files.iter().map(|(path, text)| (path.into(), Entry::file(*text))).collect())
        };
        let directory = tempfile::tempdir().unwrap();
        let (object, rule) = (directory.path().join("made.o"), directory.path().join("made.d"));
        std::fs::write(&object, "object").unwrap();
        std::fs::write(&rule, "made.o: a.c b.h /usr/include/stdio.h\n").unwrap();
        let store = ObjectStore::new(directory.path().to_path_buf());
        let source = Source { path: "a.c".into(), flags: vec!["-DA".into()] };
        let kept = store.keep(&source, &entries("1"), &object, &rule);
        assert_eq!(store.find(&source, &entries("1")), Some(kept));
        assert_eq!(store.find(&source, &entries("2")), None);
        assert_eq!(store.find(&Source { flags: Vec::new(), ..source }, &entries("1")), None);
    }
}
