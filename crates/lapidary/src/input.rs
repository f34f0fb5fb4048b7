//! Reads the input, a file or a directory, into a [`FileTree`].

use anyhow::{Context, bail};
use lapidary_reduce::{Blob, Entry, FileTree};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Reads a file or a whole directory. Symbolic links inside a directory stay links.
pub fn read(path: &Path) -> anyhow::Result<FileTree> {
    let metadata = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = name_of(path)?;
    let tree = if metadata.is_dir() {
        FileTree::directory(name, read_directory(path)?)
    } else if metadata.is_file() {
        FileTree::single(name, read_file(path, &metadata)?)
    } else {
        bail!("{} is neither a file nor a directory", path.display());
    };
    if tree.bytes() == 0 {
        bail!("{} is empty: there is nothing to reduce", path.display());
    }
    Ok(tree)
}

fn name_of(path: &Path) -> anyhow::Result<String> {
    let whole = fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().or(whole.file_name()).context("the root directory cannot be an input")?;
    match name.to_str() {
        Some(name) => Ok(name.to_owned()),
        None => bail!("the name of {} is not UTF-8; rename or link it", path.display()),
    }
}

fn read_file(path: &Path, metadata: &Metadata) -> anyhow::Result<Entry> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let executable = metadata.permissions().mode() & 0o100 != 0;
    Ok(Entry::File { content: Blob::from(bytes), executable })
}

fn read_directory(root: &Path) -> anyhow::Result<BTreeMap<PathBuf, Entry>> {
    let mut entries = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(directory) = open.pop() {
        let place = root.join(&directory);
        let mut is_empty = true;
        for entry in fs::read_dir(&place).with_context(|| format!("cannot read {}", place.display()))? {
            is_empty = false;
            let name = entry.with_context(|| format!("cannot read {}", place.display()))?.file_name();
            let (relative, path) = (directory.join(&name), place.join(&name));
            let metadata = fs::symlink_metadata(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if metadata.is_dir() {
                open.push(relative);
            } else if metadata.is_symlink() {
                let target = fs::read_link(&path).with_context(|| format!("cannot read {}", path.display()))?;
                entries.insert(relative, Entry::Link { target });
            } else if metadata.is_file() {
                entries.insert(relative, read_file(&path, &metadata)?);
            } else {
                bail!("{} is not a file, directory or link; remove it, or copy the rest elsewhere", path.display());
            }
        }
        if is_empty && !directory.as_os_str().is_empty() {
            entries.insert(directory, Entry::EmptyDirectory);
        }
    }
    Ok(entries)
}
