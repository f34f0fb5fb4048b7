//! The directory beside a result in which the next one is written.
//!
//! It is called `.lapidary-KEY-XXXXXX`: a key of the result's name and a few random letters. It
//! holds a label, the new result, and for a moment the old one. A run that is killed leaves it
//! behind, and the next run that claims the result removes it.
//!
//! Invariant: only directories of ours are removed. Either the label says so, or, since a loss of
//! power can take the label and leave the rest, the key does and nothing else is in there.

use lapidary_common::own;
use lapidary_reduce::Blob;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = ".lapidary-";

/// The entries of the directory: a file that says whose it is, the new result, and the old one.
const LABEL: &str = "made-by-lapidary";
const NEW: &str = "new";
const OLD: &str = "old";

/// The directory. Dropping it removes it.
pub(crate) struct Aside(TempDir);

impl Aside {
    /// Makes the directory beside a result.
    pub fn beside(result: &Path) -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix(&prefix(result)).tempdir_in(directory_of(result))?;
        fs::write(directory.path().join(LABEL), own::label(&name_of(result)))?;
        Ok(Aside(directory))
    }

    /// The place of the new result.
    pub fn new_result(&self) -> PathBuf {
        self.0.path().join(NEW)
    }

    /// The place of the old result, until the new one has taken its place.
    pub fn old_result(&self) -> PathBuf {
        self.0.path().join(OLD)
    }

    /// Keeps the directory, because it holds the only copy of the earlier result. The next run puts
    /// it back.
    pub fn keep(self) {
        let _ = self.0.keep();
    }
}

/// Removes the leftovers of interrupted saves. A result that was moved aside and not replaced yet
/// comes back. The caller holds the lock of the result, so no save is under way.
pub(crate) fn sweep(result: &Path) {
    for entry in fs::read_dir(directory_of(result)).into_iter().flatten().flatten() {
        let aside = entry.path();
        if !is_ours(&aside, result) {
            continue;
        }
        let is_only_copy = result.symlink_metadata().is_err() && aside.join(OLD).exists();
        if is_only_copy && fs::rename(aside.join(OLD), result).is_err() {
            continue;
        }
        // If this fails, the next run tries again.
        let _ = fs::remove_dir_all(&aside);
    }
}

/// Whether a save of this result made a directory.
fn is_ours(aside: &Path, result: &Path) -> bool {
    let name = name_of(aside);
    let is_directory = || aside.symlink_metadata().is_ok_and(|found| found.is_dir());
    let is_labelled = || own::is_labelled(&aside.join(LABEL), &name_of(result));
    name.starts_with(PREFIX)
        && is_directory()
        && (is_labelled() || (name.starts_with(&prefix(result)) && is_plain(aside)))
}

/// Whether the directory holds nothing but what a save puts there.
fn is_plain(aside: &Path) -> bool {
    let is_known = |name: &std::ffi::OsStr| [LABEL, NEW, OLD].iter().any(|known| name == *known);
    fs::read_dir(aside)
        .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| is_known(&entry.file_name()))))
}

/// The beginning of the name of every such directory of a result.
fn prefix(result: &Path) -> String {
    let key = Blob::from(own::label(&name_of(result)).into_bytes()).key().to_string();
    format!("{PREFIX}{}-", &key[..16])
}

/// The directory that holds a path.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_save_is_swept_and_everything_else_stays() {
        let place = tempfile::tempdir().unwrap();
        let result = place.path().join("out");
        let directory = |name: String, files: &[(&str, String)]| {
            let directory = place.path().join(name);
            fs::create_dir(&directory).unwrap();
            files.iter().for_each(|(name, text)| fs::write(directory.join(name), text).unwrap());
            directory
        };
        let (ours, label) = (prefix(&result), own::label("out"));
        let (empty, new) = (String::new, (NEW, "1".to_owned()));
        let swept = [
            directory(format!("{PREFIX}aaaaaa"), &[(LABEL, label.clone()), ("x", empty())]),
            directory(format!("{ours}bbbbbb"), &[]),
            directory(format!("{ours}cccccc"), &[(LABEL, empty())]),
            directory(format!("{ours}dddddd"), &[(LABEL, label[..9].to_owned()), new.clone()]),
        ];
        let others = prefix(&place.path().join("other"));
        let kept = [
            directory(format!("{PREFIX}notes"), &[]),
            directory(format!("{PREFIX}eeeeee"), &[(LABEL, own::label("other"))]),
            directory(format!("{ours}ffffff"), &[new.clone(), ("mine", empty())]),
            directory(format!("{others}gggggg"), &[new]),
        ];
        sweep(&result);
        assert_eq!(swept.map(|path| path.exists()), [false; 4]);
        assert_eq!(kept.map(|path| path.exists()), [true; 4]);
    }

    #[test]
    fn the_only_copy_of_a_result_comes_back() {
        let place = tempfile::tempdir().unwrap();
        let result = place.path().join("out");
        let aside = Aside::beside(&result).unwrap();
        fs::create_dir(aside.old_result()).unwrap();
        fs::write(aside.old_result().join("x"), "the only copy").unwrap();
        aside.keep();
        sweep(&result);
        assert_eq!(fs::read_to_string(result.join("x")).unwrap(), "the only copy");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
