//! Writes the files of a project, and recognises those that an earlier run has written.
//!
//! Invariant: nothing is removed or replaced but files that the list of an earlier run names. Without
//! `--force`, nothing is written beside files of others.

use crate::aside::directory_of;
use anyhow::{Context, bail};
use lapidary_common::own;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The file that says that the directory is ours, and lists the other files.
const LABEL: &str = "made-by-lapidary";
const KEY: &str = "JUnit tests";

/// Where Maven puts compiled tests, which it does not always remove with their sources.
const COMPILED: &str = "target/test-classes";

/// Files that every project has, and that other projects have, too.
const COMMON: [&str; 2] = ["pom.xml", "README.md"];

/// Makes sure that a project can be written to a directory.
pub fn check(directory: &Path, force: bool) -> anyhow::Result<()> {
    let shown = directory.display();
    let writable = if directory.exists() { directory } else { directory_of(directory) };
    if directory.exists() && !directory.is_dir() {
        bail!("{shown} is not a directory");
    }
    if !writable.is_dir() {
        bail!("the directory of {shown} does not exist");
    }
    tempfile::tempfile_in(writable).with_context(|| format!("cannot write to {}", writable.display()))?;
    let is_empty = || fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
    if directory.exists() && !force && !is_empty() && earlier_files(directory).is_none() {
        bail!(
            "{shown} holds files that no earlier run has written: --force writes the tests beside them, \
             another name keeps both"
        );
    }
    keep_files_of_others(directory, COMMON.iter().map(Path::new))
}

/// Makes sure that these files replace none that an earlier run has not written.
fn keep_files_of_others<'a>(directory: &Path, mut files: impl Iterator<Item = &'a Path>) -> anyhow::Result<()> {
    let earlier = earlier_files(directory).unwrap_or_default();
    let is_of_others =
        |file: &&Path| directory.join(file).symlink_metadata().is_ok() && !earlier.iter().any(|own| own == file);
    files.find(is_of_others).map_or(Ok(()), |file| {
        bail!("{} was not written by an earlier run and stays: name another directory", directory.join(file).display())
    })
}

/// Writes all files, in place of those of an earlier run.
pub fn write(directory: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> anyhow::Result<()> {
    let cannot = |path: &Path| format!("cannot write {}", path.display());
    fs::create_dir_all(directory).with_context(|| cannot(directory))?;
    keep_files_of_others(directory, files.keys().map(PathBuf::as_path))?;
    remove_earlier(directory);
    let listed: String = files.keys().map(|path| format!("{}\n", path.display())).collect();
    let label = (PathBuf::from(LABEL), (own::label(KEY) + &listed).into_bytes());
    // The label comes first, so that an interrupted run leaves a directory of ours.
    for (path, bytes) in [(&label.0, &label.1)].into_iter().chain(files) {
        let target = directory.join(path);
        fs::create_dir_all(directory_of(&target)).with_context(|| cannot(&target))?;
        fs::write(&target, bytes).with_context(|| cannot(&target))?;
    }
    Ok(())
}

/// The files that an earlier run has written; `None` if the directory is not ours.
fn earlier_files(directory: &Path) -> Option<Vec<PathBuf>> {
    let label = fs::read_to_string(directory.join(LABEL)).ok()?;
    let listed = label.strip_prefix(&own::label(KEY))?;
    let is_below = |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
    Some(listed.lines().map(PathBuf::from).filter(is_below).collect())
}

/// Removes the files of an earlier run, and directories that are empty then. What cannot be removed
/// is written over or stays.
fn remove_earlier(directory: &Path) {
    let (Some(files), Ok(root)) = (earlier_files(directory), directory.canonicalize()) else { return };
    for file in files {
        let path = root.join(file);
        // A link to elsewhere may have taken the place of a directory.
        if path.parent().and_then(|parent| parent.canonicalize().ok()).is_some_and(|parent| parent.starts_with(&root)) {
            let _ = fs::remove_file(&path);
            let above = path.ancestors().skip(1).take_while(|above| *above != root);
            let _ = above.map_while(|above| fs::remove_dir(above).ok()).count();
        }
    }
    if root.join(COMPILED).canonicalize().is_ok_and(|compiled| compiled.starts_with(&root)) {
        let _ = fs::remove_dir_all(root.join(COMPILED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
        names.iter().map(|name| (PathBuf::from(name), b"text".to_vec())).collect()
    }

    #[test]
    fn a_new_run_replaces_the_files_of_the_earlier_one_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("tests");
        check(&directory, false).unwrap();
        write(&directory, &files(&["pom.xml", "src/a/OldTest.java"])).unwrap();
        fs::write(directory.join("src/Mine.java"), "mine").unwrap();
        fs::create_dir_all(directory.join(COMPILED)).unwrap();
        check(&directory, false).unwrap();
        write(&directory, &files(&["pom.xml", "src/b/NewTest.java"])).unwrap();
        let exists = |name: &str| directory.join(name).exists();
        assert!(exists("pom.xml") && exists("src/b/NewTest.java") && exists("src/Mine.java"));
        assert!(!exists("src/a") && !exists(COMPILED));
    }

    #[test]
    fn files_of_others_are_not_mixed_with_tests_unless_asked() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("notes.txt"), "mine").unwrap();
        let message = check(place.path(), false).unwrap_err().to_string();
        assert!(message.contains("--force"), "{message}");
        check(place.path(), true).unwrap();
        for name in ["pom.xml", "src/Mine.java"] {
            fs::create_dir_all(directory_of(&place.path().join(name))).unwrap();
            fs::write(place.path().join(name), "mine").unwrap();
            assert!(write(place.path(), &files(&[name])).is_err(), "{name}");
            assert_eq!(fs::read_to_string(place.path().join(name)).unwrap(), "mine");
        }
        assert!(check(place.path(), true).unwrap_err().to_string().contains("pom.xml"));
        assert!(check(&place.path().join("notes.txt"), true).is_err());
        assert!(check(Path::new("/no/such/place"), true).is_err());
    }

    #[test]
    fn a_list_cannot_name_files_elsewhere() {
        let place = tempfile::tempdir().unwrap();
        let (directory, other) = (place.path().join("tests"), place.path().join("other"));
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("kept"), "kept").unwrap();
        write(&directory, &files(&["link/kept"])).unwrap();
        fs::remove_dir_all(directory.join("link")).unwrap();
        std::os::unix::fs::symlink(&other, directory.join("link")).unwrap();
        let listed = own::label(KEY) + "../other/kept\nlink/kept\n/etc/hostname\n";
        fs::write(directory.join(LABEL), listed).unwrap();
        write(&directory, &files(&["pom.xml"])).unwrap();
        assert!(other.join("kept").exists());
    }
}
