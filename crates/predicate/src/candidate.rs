//! Writes a candidate into a fresh directory, and never outside of it.

use crate::blobs::{BlobStore, Lent};
use crate::reaper;
use lapidary_reduce::{Cancel, Entry, FileTree, PredicateError};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path};

/// Writes the candidate under its own name, unless `cancel` fires meanwhile. Returns the files shared
/// with other candidates.
pub fn write(
    tree: &FileTree,
    directory: &Path,
    blobs: &BlobStore,
    cancel: &Cancel,
) -> Result<Vec<Lent>, PredicateError> {
    check(tree)?;
    let root = directory.join(tree.name());
    if tree.is_directory() {
        fs::create_dir(&root).map_err(|error| cannot_write(&root, &error))?;
    }
    let mut lent = Vec::new();
    let mut parent = Path::new("");
    for (path, entry) in tree.entries() {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        if let Some(its_parent) = path.parent()
            && its_parent != parent
        {
            create_directory(&root.join(its_parent))?;
            parent = its_parent;
        }
        let target = if path.as_os_str().is_empty() { root.clone() } else { root.join(path) };
        lent.extend(write_entry(entry, &target, blobs).map_err(|error| cannot_write(&target, &error))?);
    }
    if tree.entries().any(|(_, entry)| matches!(entry, Entry::File { executable: true, .. })) {
        reaper::settle();
    }
    Ok(lent)
}

/// An error that says what went wrong and what to do about it.
pub fn cannot_write(path: &Path, error: &io::Error) -> PredicateError {
    use io::ErrorKind::*;
    let advice = match error.kind() {
        StorageFull | QuotaExceeded => "free some space there, or set TMPDIR to a directory with more",
        FileTooLarge => "raise the file size limit (`ulimit -f`), or set TMPDIR to another file system",
        PermissionDenied | ReadOnlyFilesystem => "set TMPDIR to a directory that can be written",
        InvalidFilename => "set TMPDIR to a shorter path or to another file system",
        _ => "check the file system, or set TMPDIR to a directory elsewhere",
    };
    PredicateError::Fatal(format!("cannot write {}: {error}; {advice}", path.display()))
}

fn write_entry(entry: &Entry, target: &Path, blobs: &BlobStore) -> io::Result<Option<Lent>> {
    match entry {
        Entry::File { content, executable } => blobs.place(content, *executable, target),
        Entry::Link { target: aim } => symlink(aim, target).map(|()| None),
        Entry::EmptyDirectory => fs::create_dir_all(target).map(|()| None),
    }
}

fn create_directory(path: &Path) -> Result<(), PredicateError> {
    fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))
}

/// Checks that no path leads out of the candidate, neither directly nor through one of its links.
fn check(tree: &FileTree) -> Result<(), PredicateError> {
    let mut components = Path::new(tree.name()).components();
    if !matches!((components.next(), components.next()), (Some(Component::Normal(name)), None) if name == tree.name()) {
        return Err(escapes(Path::new(tree.name()), "is not a plain file name"));
    }
    let mut parent = Path::new("");
    for (path, _) in tree.entries().filter(|_| tree.is_directory()) {
        if path.as_os_str().is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(escapes(path, "leads out of it"));
        }
        if let Some(its_parent) = path.parent()
            && its_parent != parent
        {
            parent = its_parent;
            let solid = |path| !matches!(tree.entry(path), Some(Entry::Link { .. } | Entry::File { .. }));
            if !parent.ancestors().all(solid) {
                return Err(escapes(path, "lies below a file or link"));
            }
        }
    }
    Ok(())
}

fn escapes(path: &Path, how: &str) -> PredicateError {
    PredicateError::Fatal(format!("the candidate is not written, since its path {} {how}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_that_is_no_longer_wanted_is_not_written_to_its_end() {
        let place = tempfile::tempdir().unwrap();
        let blobs = BlobStore::new(place.path().join("blobs")).unwrap();
        let files = (0..100).map(|number| (number.to_string().into(), Entry::file("x"))).collect();
        let cancel = Cancel::new();
        cancel.cancel();
        let written = write(&FileTree::directory("d", files), place.path(), &blobs, &cancel);
        assert!(matches!(written, Err(PredicateError::Cancelled)));
        assert_eq!(fs::read_dir(place.path().join("d")).unwrap().count(), 0);
    }
}
