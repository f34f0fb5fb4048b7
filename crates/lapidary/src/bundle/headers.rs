//! The headers that a reduced program includes in quotes and that are not part of it: those beside
//! the original, which have to go along.

use crate::crash::quoted_includes;
use lapidary_reduce::{Entry, FileTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The headers by their paths in the program, and what could not be taken, in words.
pub(crate) fn of(tree: &FileTree, origin: &Path) -> (BTreeMap<PathBuf, Entry>, BTreeSet<String>) {
    let (mut found, mut missing) = (BTreeMap::new(), BTreeSet::new());
    let mut open: Vec<(PathBuf, Vec<u8>)> = tree
        .entries()
        .filter_map(|(path, entry)| match entry {
            Entry::File { content, .. } => Some((path.to_owned(), content.to_vec())),
            _ => None,
        })
        .collect();
    while let Some((path, text)) = open.pop() {
        let directory = path.parent().unwrap_or(Path::new(""));
        for name in quoted_includes(&String::from_utf8_lossy(&text)) {
            let header = directory.join(name);
            let is_known = found.contains_key(&header) || tree.is_directory() && tree.entry(&header).is_some();
            let Ok(content) = std::fs::read(origin.join(&header)) else { continue };
            if is_known || origin.as_os_str().is_empty() {
                continue;
            }
            if !header.components().all(|part| matches!(part, Component::Normal(_))) {
                missing.insert(format!("the header {name}, which is outside of the directory of the program"));
                continue;
            }
            found.insert(header.clone(), Entry::file(content.clone()));
            open.push((header, content));
        }
    }
    (found, missing)
}
