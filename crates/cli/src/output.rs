//! Where the result goes: beside the input unless told otherwise, never over the input, replaced as a whole each time it
//! improves, so that whatever happens a complete result is there.

use anyhow::{Context, bail};
use lapidary_reduce::{Entry, FileTree, Header, Journal, Judgment, Key};
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// The place of the result, held by this run alone.
pub struct Output {
    path: PathBuf,
    /// What was last written there.
    written: Option<FileTree>,
    lock: File,
}

impl Drop for Output {
    /// A run that recorded nothing leaves nothing to resume.
    fn drop(&mut self) {
        if self.lock.metadata().is_ok_and(|found| found.len() == 0) {
            // Nobody can have started to use it: this run holds the lock.
            let _ = fs::remove_file(self.journal());
        }
    }
}

/// What to do about a result that is already there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    Refuse,
    Replace,
    /// Replace it if it is ours.
    Resume,
}

impl Output {
    pub fn claim(path: PathBuf, existing: Existing) -> anyhow::Result<Output> {
        // `results/` and `results` are the same place.
        let path: PathBuf = path.components().collect();
        let journal = journal_of(&path);
        let is_new = !journal.exists();
        if is_new {
            check_existing(&path, existing, false)?;
        }
        let lock = OpenOptions::new().create(true).append(true).open(&journal);
        let lock =
            lock.with_context(|| format!("cannot write {}; choose another place with --out", journal.display()))?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another run is writing {} at this moment; choose another place with --out", path.display());
        }
        if !is_new {
            check_existing(&path, existing, true)?;
        }
        Ok(Output { path, written: None, lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn journal(&self) -> PathBuf {
        journal_of(&self.path)
    }

    /// Opens the journal beside the result, with what an earlier run has learned if this one resumes it.
    pub fn open_journal(&self, header: &Header, resume: bool) -> anyhow::Result<(Journal, Vec<(Key, Judgment)>)> {
        let path = self.journal();
        if resume && path.metadata().is_ok_and(|found| found.len() > 0) {
            return Ok(Journal::resume(&path, header)?);
        }
        let journal = Journal::create(&path, header).with_context(|| format!("cannot write {}", path.display()))?;
        Ok((journal, Vec::new()))
    }

    /// Replaces the result as a whole.
    pub fn save(&mut self, tree: &FileTree) -> Result<(), String> {
        if self.written.as_ref().is_some_and(|written| written.key() == tree.key()) {
            return Ok(());
        }
        let fail = |error: io::Error| {
            format!("cannot write {}: {error}; what was saved before is still there", self.path.display())
        };
        self.replace(tree).map_err(fail)?;
        self.written = Some(tree.clone());
        Ok(())
    }

    fn replace(&self, tree: &FileTree) -> io::Result<()> {
        let parent = match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let aside = tempfile::Builder::new().prefix(".lapidary-").tempdir_in(parent)?;
        let new = aside.path().join("new");
        if tree.is_directory() {
            fs::create_dir(&new)?;
        }
        for (path, entry) in tree.entries() {
            let target = if path.as_os_str().is_empty() { new.clone() } else { new.join(path) };
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            self.place(path, entry, &target)?;
        }
        match renameat_with(CWD, &new, CWD, &self.path, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(()),
            // There is nothing to exchange with yet, or the file system cannot exchange.
            Err(_) => replace_in_steps(&new, &self.path, aside.path()),
        }
    }

    /// Files that did not change since the last time are linked, not written again.
    fn place(&self, path: &Path, entry: &Entry, target: &Path) -> io::Result<()> {
        match entry {
            Entry::EmptyDirectory => fs::create_dir_all(target),
            Entry::Link { target: aim } => symlink(aim, target),
            Entry::File { content, executable } => {
                let unchanged =
                    self.written.as_ref().is_some_and(|tree| tree.is_directory() && tree.entry(path) == Some(entry));
                if unchanged && fs::hard_link(self.path.join(path), target).is_ok() {
                    return Ok(());
                }
                fs::write(target, &**content)?;
                if *executable {
                    fs::set_permissions(target, fs::Permissions::from_mode(0o755))?;
                }
                Ok(())
            }
        }
    }
}

/// `has_journal`: what is there was made by us.
fn check_existing(path: &Path, existing: Existing, has_journal: bool) -> anyhow::Result<()> {
    if existing == Existing::Refuse && (has_journal || path.symlink_metadata().is_ok()) {
        bail!(
            "{} is there from an earlier run: --resume goes on with it, --force starts anew, --out chooses another place",
            path.display()
        );
    }
    if existing == Existing::Resume && !has_journal && path.symlink_metadata().is_ok() {
        bail!("{} has no journal, so there is nothing to resume: --force starts anew", path.display());
    }
    if path.is_dir() && !has_journal {
        bail!("{} is a directory and no earlier result; choose another place with --out", path.display());
    }
    Ok(())
}

fn replace_in_steps(new: &Path, path: &Path, aside: &Path) -> io::Result<()> {
    let old = aside.join("old");
    let is_directory = path.is_dir() && !path.is_symlink();
    if is_directory {
        fs::rename(path, &old)?;
    }
    fs::rename(new, path).inspect_err(|_| {
        // What was there before comes back rather than to go with the temporary directory.
        let _ = fs::rename(&old, path);
    })
}

/// The journal of a result, beside it.
pub fn journal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".journal.jsonl");
    PathBuf::from(name)
}

/// `bug.c` → `bug.reduced.c`, beside it.
pub fn default_path(input: &Path) -> PathBuf {
    // `.` and `..` have no name of their own.
    let input =
        if input.file_name().is_none() { input.canonicalize().unwrap_or(input.to_owned()) } else { input.to_owned() };
    let stem = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = match input.extension() {
        Some(extension) if !input.is_dir() => format!("{stem}.reduced.{}", extension.to_string_lossy()),
        _ => format!("{}.reduced", input.file_name().unwrap_or_default().to_string_lossy()),
    };
    input.with_file_name(name)
}

/// Refuses a result that would destroy the input. An input that is not on disk cannot be destroyed.
pub fn must_differ(output: &Path, input: &Path) -> anyhow::Result<()> {
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(parent) = fs::canonicalize(parent) else { bail!("the directory of {} does not exist", output.display()) };
    let Ok(input) = fs::canonicalize(input) else { return Ok(()) };
    let real = fs::canonicalize(output).unwrap_or_else(|_| parent.join(output.file_name().unwrap_or_default()));
    if real.starts_with(&input) || input.starts_with(&real) {
        bail!("the result cannot go to {}: the input is never overwritten", output.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_named_after_the_input() {
        assert_eq!(default_path(Path::new("/x/bug.c")), Path::new("/x/bug.reduced.c"));
        assert_eq!(default_path(Path::new("Makefile")), Path::new("Makefile.reduced"));
    }

    #[test]
    fn a_directory_is_replaced_as_a_whole() {
        let place = tempfile::tempdir().unwrap();
        let mut output = Output::claim(place.path().join("out"), Existing::Refuse).unwrap();
        let file = |name: &str, text: &str| (PathBuf::from(name), Entry::file(text));
        output.save(&FileTree::directory("d", [file("a/x", "1"), file("b", "2")].into())).unwrap();
        output.save(&FileTree::directory("d", [file("b", "2")].into())).unwrap();
        assert!(!output.path().join("a").exists());
        assert_eq!(fs::read_to_string(output.path().join("b")).unwrap(), "2");
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 2, "only the result and the journal: {left:?}");
    }

    #[test]
    fn two_runs_cannot_write_the_same_result() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let first = Output::claim(path.clone(), Existing::Refuse).unwrap();
        assert!(Output::claim(path.clone(), Existing::Replace).is_err());
        drop(first);
        fs::write(&path, "result").unwrap();
        assert!(Output::claim(path.clone(), Existing::Refuse).is_err());
        assert!(Output::claim(path, Existing::Replace).is_ok());
    }
}
