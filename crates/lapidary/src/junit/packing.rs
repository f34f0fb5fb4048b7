//! Classes as jars. Equal classes give equal jars.

use crate::input;
use anyhow::Context;
use lapidary_jvm::{ClassPath, Compression, write_jar};
use lapidary_reduce::Entry;
use std::path::{Path, PathBuf};

/// The places of a class path one by one: `lib/*` stands for several.
pub fn expanded(class_path: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    Ok(ClassPath::open(class_path, None)?.paths().map(Path::to_owned).collect())
}

/// A jar as it is, or a directory as a jar.
pub fn packed(classes: &Path) -> anyhow::Result<Vec<u8>> {
    if !classes.is_dir() {
        return std::fs::read(classes).with_context(|| format!("cannot read {}", classes.display()));
    }
    let tree = input::read(classes)?;
    let mut entries = Vec::new();
    for (path, entry) in tree.entries() {
        let bytes = match entry {
            Entry::File { content, .. } => content.to_vec(),
            Entry::Link { .. } if classes.join(path).is_file() => std::fs::read(classes.join(path))?,
            Entry::Link { .. } | Entry::EmptyDirectory => continue,
        };
        entries.push((path.to_string_lossy().into_owned(), bytes));
    }
    let entries = entries.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    Ok(write_jar(entries, Compression::Deflated)?)
}
