//! Writes a bundle: a directory, and a zip archive beside it. Both are complete when they appear.
//!
//! Invariant: only an earlier bundle is ever replaced, and only if that is asked for.

use super::archive::packed;
use crate::aside::directory_of;
use anyhow::{Context, bail};
use lapidary_reduce::{Entry, FileTree};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// The files by which a bundle is recognised.
const SIGNS: [&str; 2] = ["ISSUE.md", "versions.txt"];

/// The archive beside a directory.
pub(crate) fn archive_of(directory: &Path) -> PathBuf {
    let mut name: std::ffi::OsString = directory.components().collect::<PathBuf>().into();
    name.push(".zip");
    name.into()
}

/// Makes sure that a bundle can be written, before any work is done for it.
pub(crate) fn check(directory: &Path, replace: bool) -> anyhow::Result<()> {
    let archive = archive_of(directory);
    if directory.file_name().is_none() {
        bail!("{} cannot be a bundle; name a new directory", directory.display());
    }
    let parent = directory_of(directory);
    if !parent.is_dir() {
        bail!("the directory of {} does not exist", directory.display());
    }
    tempfile::tempfile_in(parent).with_context(|| format!("cannot write to {}", parent.display()))?;
    for path in [directory, archive.as_path()] {
        if path.symlink_metadata().is_ok() && !replace {
            bail!("{} exists: --force replaces an earlier bundle, another name keeps both", path.display());
        }
    }
    let is_empty = || fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
    let is_ours = SIGNS.iter().all(|sign| directory.join(sign).is_file()) || directory.is_dir() && is_empty();
    if directory.symlink_metadata().is_ok() && !is_ours {
        bail!("{} is not a bundle, so it is not replaced; choose another name", directory.display());
    }
    if archive.symlink_metadata().is_ok() && !is_archive_of(&archive, directory) {
        bail!("{} is not the archive of a bundle, so it is not replaced; choose another name", archive.display());
    }
    Ok(())
}

/// Whether an archive was made of a bundle of this name.
fn is_archive_of(archive: &Path, directory: &Path) -> bool {
    let name = Path::new(directory.file_name().unwrap_or_default());
    let Some(zip) = fs::File::open(archive).ok().and_then(|file| ZipArchive::new(file).ok()) else { return false };
    SIGNS.iter().all(|sign| zip.index_for_path(name.join(sign)).is_some())
}

/// Writes the directory and its archive, which has the directory's name at its top.
pub(crate) fn write(directory: &Path, tree: &FileTree) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", directory.display());
    let parent = directory_of(directory);
    let aside = tempfile::Builder::new().prefix(".bundle-").tempdir_in(parent).with_context(cannot)?;
    let new = aside.path().join("new");
    place(&new, tree).with_context(cannot)?;
    let archive = archive_of(directory);
    let new_archive = aside.path().join("zip");
    fs::write(&new_archive, packed(tree)?).with_context(|| format!("cannot write {}", archive.display()))?;
    if directory.exists() {
        fs::rename(directory, aside.path().join("old")).with_context(cannot)?;
    }
    fs::rename(&new, directory).with_context(cannot)?;
    fs::rename(&new_archive, &archive).with_context(|| format!("cannot write {}", archive.display()))
}

fn place(root: &Path, tree: &FileTree) -> std::io::Result<()> {
    fs::create_dir(root)?;
    for (path, entry) in tree.entries() {
        let target = root.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        match entry {
            Entry::EmptyDirectory => fs::create_dir_all(&target)?,
            Entry::Link { target: aim } => symlink(aim, &target)?,
            Entry::File { content, executable } => {
                fs::write(&target, &**content)?;
                if *executable {
                    fs::set_permissions(&target, fs::Permissions::from_mode(0o755))?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> FileTree {
        let file = |name: &str| (PathBuf::from(name), Entry::file("text"));
        FileTree::directory("bundle", [file("ISSUE.md"), file("versions.txt"), file("input/a")].into())
    }

    #[test]
    fn only_a_bundle_is_replaced_and_only_if_asked() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("bundle");
        check(&directory, false).unwrap();
        write(&directory, &tree()).unwrap();
        assert!(archive_of(&directory).is_file() && directory.join("input/a").is_file());
        assert!(check(&directory, false).unwrap_err().to_string().contains("--force"));
        check(&directory, true).unwrap();
        write(&directory, &tree()).unwrap();
        fs::remove_file(directory.join("ISSUE.md")).unwrap();
        assert!(check(&directory, true).unwrap_err().to_string().contains("is not a bundle"));
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 2, "nothing else is left: {left:?}");
    }

    #[test]
    fn an_archive_of_something_else_stays() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("photos");
        let archive = archive_of(&directory);
        let photos = packed(&FileTree::directory("photos", [("a.jpg".into(), Entry::file("x"))].into())).unwrap();
        let other = packed(&tree()).unwrap();
        for content in [&photos[..], &other, b"no archive"] {
            fs::write(&archive, content).unwrap();
            let message = check(&directory, true).unwrap_err().to_string();
            assert!(message.contains("photos.zip is not the archive of a bundle"), "{message}");
        }
        fs::remove_file(&archive).unwrap();
        write(
            &directory,
            &FileTree::directory(
                "photos",
                tree().entries().map(|(path, entry)| (path.into(), entry.clone())).collect(),
            ),
        )
        .unwrap();
        check(&directory, true).unwrap();
        fs::remove_dir_all(&directory).unwrap();
        check(&directory, true).unwrap();
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_before_any_work() {
        let message = check(Path::new("/no/such/place"), false).unwrap_err().to_string();
        assert_eq!(message, "the directory of /no/such/place does not exist");
        assert!(check(Path::new("/proc/bundle"), false).is_err());
    }
}
