//! The place of the result. It is never that of the input, and the result is replaced as a whole
//! each time it improves, so that a complete one is there whatever happens.

use anyhow::{Context, bail};
use lapidary_common::own;
use lapidary_reduce::journal::Resumed;
use lapidary_reduce::{Entry, FileTree, Header, Journal};
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where a result is to be saved. The journal of the run goes beside it.
#[derive(Clone, Debug)]
pub struct Saving {
    /// The file or directory that the result becomes.
    pub path: PathBuf,
    /// The treatment of a result that is already there.
    pub existing: Existing,
}

impl Saving {
    /// Saves to this path, which must not exist yet.
    pub fn to(path: impl Into<PathBuf>) -> Self {
        Saving { path: path.into(), existing: Existing::Refuse }
    }

    /// The journal of the run, beside the result.
    pub fn journal(&self) -> PathBuf {
        journal_of(&self.path)
    }

    /// Claims the place, after making sure that it overwrites none of the inputs.
    pub(crate) fn claim(&self, inputs: &[PathBuf]) -> anyhow::Result<Output> {
        for written in [&self.path, &self.journal()] {
            inputs.iter().try_for_each(|input| must_differ(written, input))?;
        }
        Output::claim(self.path.clone(), self.existing)
    }
}

/// Saves that are synced take at most one part in this many of the time.
const SYNC_SHARE: u32 = 50;

/// A result is written in a directory beside it, called this and a few random letters.
const ASIDE: &str = ".lapidary-";

/// The entries of that directory: a file that says whose it is, the new result, and the old one.
const LABEL: &str = "made-by-lapidary";
const NEW: &str = "new";
const OLD: &str = "old";

/// The place of the result, held by this run alone.
pub(crate) struct Output {
    path: PathBuf,
    /// The tree that was written last.
    written: Option<FileTree>,
    /// Whether that survives a loss of power.
    is_synced: bool,
    /// When the result was last synced, and how long that save took.
    synced: Option<(Instant, Duration)>,
    lock: File,
    resume: bool,
}

impl Drop for Output {
    /// Removes an empty journal: a run that recorded nothing leaves nothing to resume.
    fn drop(&mut self) {
        if self.lock.metadata().is_ok_and(|found| found.len() == 0) {
            // No other run uses it, because this one holds the lock.
            let _ = fs::remove_file(self.journal());
        }
    }
}

/// The treatment of a result that is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Do not run; return an error.
    Refuse,
    /// Start over and replace it.
    Replace,
    /// Continue the run that left it, from its journal; begin a new run if there is none. A run
    /// that is complete is not repeated: its verdicts are all known.
    Resume,
}

impl Output {
    pub fn claim(path: PathBuf, existing: Existing) -> anyhow::Result<Output> {
        // `results/` and `results` are the same place.
        let path: PathBuf = path.components().collect();
        let journal = journal_of(&path);
        if !has_content(&journal) {
            check_existing(&path, existing, false)?;
        }
        let lock = locked(&journal, &path)?;
        // A run that was killed before it recorded anything leaves an empty journal.
        let is_new = !has_content(&journal);
        check_existing(&path, existing, !is_new)?;
        if existing != Existing::Refuse {
            sweep(&path);
        }
        let resume = existing == Existing::Resume && !is_new;
        Ok(Output { path, written: None, is_synced: false, synced: None, lock, resume })
    }

    /// Whether this run continues an earlier one.
    pub fn is_resumed(&self) -> bool {
        self.resume
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn journal(&self) -> PathBuf {
        journal_of(&self.path)
    }

    /// Opens the journal beside the result. If this run resumes an earlier one, also returns its
    /// verdicts.
    pub fn open_journal(&self, header: &Header) -> anyhow::Result<Resumed> {
        let path = self.journal();
        if self.resume {
            return Ok(Journal::resume(&path, header)?);
        }
        let journal = Journal::create(&path, header).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Resumed { journal, known: Vec::new(), damaged: None })
    }

    /// Replaces the result as a whole.
    pub fn save(&mut self, tree: &FileTree) -> Result<(), String> {
        if self.written.as_ref().is_some_and(|written| written.key() == tree.key()) {
            return Ok(());
        }
        let fail = |error: io::Error| {
            format!("cannot write {}: {error}; the result saved before is still there", self.path.display())
        };
        // Syncing may take longer than a test, so it gets a small share of the time.
        let is_due = self.synced.is_none_or(|(when, cost)| when.elapsed() >= SYNC_SHARE * cost);
        let begun = Instant::now();
        self.is_synced = self.replace(tree, is_due).map_err(fail)?;
        if is_due {
            self.synced = Some((Instant::now(), begun.elapsed()));
        }
        self.written = Some(tree.clone());
        Ok(())
    }

    /// Makes sure that the result survives a loss of power, if the last save did not.
    pub fn sync(&mut self) -> io::Result<()> {
        if let (false, Some(tree)) = (self.is_synced, &self.written) {
            sync_all(&self.path, tree)?;
            File::open(directory_of(&self.path))?.sync_all()?;
            self.is_synced = true;
        }
        Ok(())
    }

    /// Whether the last save survives a loss of power.
    pub fn is_synced(&self) -> bool {
        self.is_synced
    }

    /// Replaces the result, and syncs it if that is due. False if it is not synced.
    fn replace(&self, tree: &FileTree, is_due: bool) -> io::Result<bool> {
        let aside = tempfile::Builder::new().prefix(ASIDE).tempdir_in(directory_of(&self.path))?;
        fs::write(aside.path().join(LABEL), own::label(&name_of(&self.path)))?;
        let new = aside.path().join(NEW);
        if tree.is_directory() {
            fs::create_dir(&new)?;
        }
        let mut parent = PathBuf::new();
        for (path, entry) in tree.entries() {
            let target = if path.as_os_str().is_empty() { new.clone() } else { new.join(path) };
            if let Some(its_parent) = target.parent().filter(|its_parent| *its_parent != parent) {
                fs::create_dir_all(its_parent)?;
                parent = its_parent.to_owned();
            }
            self.place(path, entry, &target)?;
        }
        // A file system that cannot sync is no reason to stop.
        let is_synced = is_due && sync_all(&new, tree).is_ok();
        let exchanged = renameat_with(CWD, &new, CWD, &self.path, RenameFlags::EXCHANGE);
        // There is no result to exchange with yet, or the file system cannot exchange.
        let replaced = exchanged.or_else(|_| replace_in_steps(&new, &self.path, aside.path()));
        if replaced.is_err() && self.path.symlink_metadata().is_err() && aside.path().join(OLD).exists() {
            // It holds the only copy of the earlier result, which the next run puts back.
            let _ = aside.keep();
        }
        replaced?;
        Ok(is_synced && File::open(directory_of(&self.path)).and_then(|parent| parent.sync_all()).is_ok())
    }

    /// Places one entry. A file that did not change since the last time is linked, not written.
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

/// Opens the journal and locks it. Another run may remove an empty journal between the two.
fn locked(journal: &Path, result: &Path) -> anyhow::Result<File> {
    loop {
        let lock = OpenOptions::new().create(true).append(true).open(journal);
        let lock =
            lock.with_context(|| format!("cannot write {}; choose another place with --out", journal.display()))?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            bail!("another run is writing {}; choose another place with --out", result.display());
        }
        let is_locked = |found: fs::Metadata| lock.metadata().is_ok_and(|held| held.ino() == found.ino());
        if journal.metadata().is_ok_and(is_locked) {
            return Ok(lock);
        }
    }
}

fn has_content(journal: &Path) -> bool {
    journal.metadata().is_ok_and(|found| found.len() > 0)
}

/// Syncs all files and directories of a tree that was written to a path. Many files are synced
/// together with the whole file system, since each alone waits for the disk.
fn sync_all(root: &Path, tree: &FileTree) -> io::Result<()> {
    match Syncing::of(tree) {
        Syncing::Each => sync_each(root, tree),
        Syncing::Together => Ok(rustix::fs::syncfs(File::open(root)?)?),
    }
}

/// How the files of a tree are synced.
#[derive(Debug, PartialEq, Eq)]
enum Syncing {
    Each,
    Together,
}

impl Syncing {
    fn of(tree: &FileTree) -> Syncing {
        const MANY: usize = 64;
        if tree.entries().count() <= MANY { Syncing::Each } else { Syncing::Together }
    }
}

fn sync_each(root: &Path, tree: &FileTree) -> io::Result<()> {
    let mut directories = BTreeSet::new();
    for (path, entry) in tree.entries() {
        let place = if path.as_os_str().is_empty() { root.to_owned() } else { root.join(path) };
        if tree.is_directory() {
            directories.extend(place.ancestors().skip(1).take_while(|at| at.starts_with(root)).map(Path::to_owned));
        }
        if let Entry::File { .. } = entry {
            File::open(place)?.sync_data()?;
        }
    }
    directories.iter().try_for_each(|directory| File::open(directory)?.sync_all())
}

/// Checks what is already at the path. With `has_journal`, it is a result of ours.
fn check_existing(path: &Path, existing: Existing, has_journal: bool) -> anyhow::Result<()> {
    if path.is_dir() && !has_journal {
        bail!("{} is a directory and not an earlier result; name a new file or directory with --out", path.display());
    }
    if existing == Existing::Refuse && (has_journal || path.symlink_metadata().is_ok()) {
        bail!(
            "{} exists from an earlier run: --resume continues it, --force starts over, --out chooses another place",
            path.display()
        );
    }
    if existing == Existing::Resume && !has_journal && path.symlink_metadata().is_ok() {
        bail!("{} has no journal, so there is nothing to resume; --force starts over", path.display());
    }
    Ok(())
}

/// Removes the leftovers of interrupted saves. A result that was moved aside and not replaced yet
/// comes back. The caller holds the lock of the result, so no save is under way.
fn sweep(path: &Path) {
    for entry in fs::read_dir(directory_of(path)).into_iter().flatten().flatten() {
        let aside = entry.path();
        if !name_of(&aside).starts_with(ASIDE) || !own::is_labelled(&aside.join(LABEL), &name_of(path)) {
            continue;
        }
        let is_only_copy = path.symlink_metadata().is_err() && aside.join(OLD).exists();
        if is_only_copy && fs::rename(aside.join(OLD), path).is_err() {
            continue;
        }
        // If this fails, the next run tries again.
        let _ = fs::remove_dir_all(&aside);
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn replace_in_steps(new: &Path, path: &Path, aside: &Path) -> io::Result<()> {
    let old = aside.join(OLD);
    let is_directory = path.is_dir() && !path.is_symlink();
    if is_directory {
        fs::rename(path, &old)?;
    }
    fs::rename(new, path).inspect_err(|_| {
        // Puts the old result back, before it is removed with the temporary directory.
        let _ = fs::rename(&old, path);
    })
}

/// The path of the journal of a result, beside it.
pub fn journal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".journal.jsonl");
    PathBuf::from(name)
}

/// The default path of a result: `bug.reduced.c` beside `bug.c`.
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

/// Rejects an output path that would overwrite the input.
pub fn must_not_overwrite(output: &Path, input: &Path) -> crate::Result<()> {
    Ok(must_differ(output, input)?)
}

/// Rejects an output path that would overwrite the input. An input in memory cannot be overwritten.
pub(crate) fn must_differ(output: &Path, input: &Path) -> anyhow::Result<()> {
    let Ok(parent) = fs::canonicalize(directory_of(output)) else {
        bail!("the directory of {} does not exist", output.display())
    };
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
    fn many_files_are_synced_together() {
        let place = tempfile::tempdir().unwrap();
        let tree = |files: usize| {
            let file = |number: usize| (PathBuf::from(format!("{}/{number}", number % 7)), Entry::file("x"));
            FileTree::directory("d", (0..files).map(file).collect())
        };
        assert_eq!(Syncing::of(&tree(10)), Syncing::Each);
        assert_eq!(Syncing::of(&tree(100_000)), Syncing::Together);
        let mut output = Output::claim(place.path().join("out"), Existing::Refuse).unwrap();
        output.save(&tree(100)).unwrap();
        assert!(output.is_synced());
        assert_eq!(fs::read_to_string(output.path().join("6/97")).unwrap_or_default(), "x");
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
    fn a_save_that_was_cut_short_leaves_nothing_once_the_run_goes_on() {
        let place = tempfile::tempdir().unwrap();
        let (path, kept) = (place.path().join("out"), place.path().join(".lapidary-notes"));
        let aside = |name: &str, of: &str| {
            let aside = place.path().join(name);
            fs::create_dir(&aside).unwrap();
            fs::write(aside.join(LABEL), own::label(of)).unwrap();
            aside
        };
        fs::create_dir(&kept).unwrap();
        drop(Output::claim(path.clone(), Existing::Refuse).unwrap());
        fs::write(journal_of(&path), "{}\n").unwrap();
        let [ours, another] = [aside(".lapidary-aaaaaa", "out"), aside(".lapidary-bbbbbb", "other")];
        fs::create_dir(ours.join(OLD)).unwrap();
        fs::write(ours.join(OLD).join("x"), "the only copy").unwrap();
        drop(Output::claim(path.clone(), Existing::Resume).unwrap());
        assert_eq!(fs::read_to_string(path.join("x")).unwrap(), "the only copy");
        assert_eq!([ours, another, kept].map(|path| path.exists()), [false, true, true]);
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
