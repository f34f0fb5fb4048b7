//! The place of the result. It is never that of the input, and the result is replaced as a whole
//! each time it improves, so that a complete one is there whatever happens.
//!
//! Invariant: content is synced before it takes the place of an earlier result, so a loss of power
//! leaves one or the other, whole.

use crate::apart::{self, Written};
use crate::aside::{self, Aside, directory_of};
use crate::pace::Pace;
use anyhow::{Context, bail};
use lapidary_reduce::journal::{ENDING, Resumed};
use lapidary_reduce::{Entry, FileTree, Header, Journal};
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

    /// The files that a run writes.
    pub fn written(&self) -> [Written; 2] {
        [Written::other("the result", &self.path), Written::other("the journal", self.journal())]
    }

    /// Claims the place, after making sure that it overwrites none of the inputs.
    pub(crate) fn claim(&self, inputs: &[PathBuf]) -> anyhow::Result<Output> {
        apart::check(&self.written(), inputs)?;
        Output::claim(self.path.clone(), self.existing)
    }
}

/// Every save syncs its content. All saves together may take this long, and one part in so many of
/// the time on top; then a better result waits.
const FREE_SAVES: Duration = Duration::from_secs(1);
const SHARE_OF_SAVES: u32 = 20;

/// Making sure that the new result and not the earlier one survives takes no more than this.
const FREE_SYNCS: Duration = Duration::from_millis(100);
const SHARE_OF_SYNCS: u32 = 50;

/// The place of the result, held by this run alone.
pub(crate) struct Output {
    path: PathBuf,
    /// The tree that was written last.
    written: Option<FileTree>,
    /// A better one that is not written yet, because saving takes too much of the time.
    waiting: Option<FileTree>,
    /// Whether the tree that was written last survives a loss of power.
    is_synced: bool,
    saves: Pace,
    syncs: Pace,
    /// Holding the lock of the journal keeps other runs away.
    _lock: File,
    resume: bool,
}

impl Drop for Output {
    /// Removes a journal that was not begun: a run that recorded nothing leaves nothing to resume.
    fn drop(&mut self) {
        if !is_begun(&self.journal()) {
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
        if !is_begun(&journal) {
            check_existing(&path, existing, false)?;
        }
        let lock = locked(&journal, &path)?;
        // A run that was killed before it recorded anything leaves a journal without a first line.
        let is_new = !is_begun(&journal);
        check_existing(&path, existing, !is_new)?;
        if existing != Existing::Refuse {
            aside::sweep(&path);
        }
        let resume = existing == Existing::Resume && !is_new;
        let (saves, syncs) = (Pace::new(FREE_SAVES, SHARE_OF_SAVES), Pace::new(FREE_SYNCS, SHARE_OF_SYNCS));
        Ok(Output { path, written: None, waiting: None, is_synced: false, saves, syncs, _lock: lock, resume })
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
        let begin = || -> anyhow::Result<Journal> {
            let journal = Journal::create(&path, header)?;
            // A result without a journal could not be resumed, so the journal gets to disk first.
            tolerate(journal.sync())?;
            tolerate(sync_directory(directory_of(&path)))?;
            Ok(journal)
        };
        let journal = begin().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Resumed { journal, known: Vec::new(), skips: Vec::new(), damaged: None })
    }

    /// Replaces the result as a whole, or keeps the new one waiting if saving has taken too much of
    /// the time. Returns whether what is saved now survives a loss of power.
    pub fn offer(&mut self, tree: &FileTree) -> Result<bool, String> {
        self.waiting = Some(tree.clone());
        self.catch_up()
    }

    /// Saves a result that waits, if its time has come. Returns whether it survives a loss of power.
    pub fn catch_up(&mut self) -> Result<bool, String> {
        match self.saves.allows().then(|| self.waiting.take()).flatten() {
            Some(tree) => self.save(&tree),
            None => Ok(false),
        }
    }

    /// Replaces the result as a whole. Returns whether it survives a loss of power.
    pub fn save(&mut self, tree: &FileTree) -> Result<bool, String> {
        self.waiting = None;
        if self.written.as_ref().is_some_and(|written| written.key() == tree.key()) {
            return Ok(false);
        }
        let begun = std::time::Instant::now();
        let is_synced = self.replace(tree).map_err(|error| {
            let rest = match self.path.symlink_metadata() {
                Ok(_) => "the result saved before is still there",
                Err(_) => "there is no result yet",
            };
            format!("cannot write {}: {error}; {rest}", self.path.display())
        })?;
        self.saves.spend_since(begun);
        self.written = Some(tree.clone());
        let parent = directory_of(&self.path).to_owned();
        // Until then the earlier result may come back, which is whole as well.
        self.is_synced = is_synced || self.syncs.allows() && self.syncs.spend(|| sync_directory(&parent)).is_ok();
        Ok(self.is_synced)
    }

    /// Makes sure that the result survives a loss of power, if the last save did not.
    pub fn sync(&mut self) -> io::Result<()> {
        if !self.is_synced && self.written.is_some() {
            tolerate(sync_directory(directory_of(&self.path)))?;
            self.is_synced = true;
        }
        Ok(())
    }

    /// Replaces the result by one whose content is synced. Returns whether the change is synced as
    /// well.
    fn replace(&self, tree: &FileTree) -> io::Result<bool> {
        let aside = Aside::beside(&self.path)?;
        let new = aside.new_result();
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
        tolerate(sync_all(&new, tree))?;
        let exchanged = renameat_with(CWD, &new, CWD, &self.path, RenameFlags::EXCHANGE);
        // There is no result to exchange with yet, or the file system cannot exchange.
        let replaced = exchanged.or_else(|_| replace_in_steps(&new, &self.path, &aside.old_result()));
        if replaced.is_err() && self.path.symlink_metadata().is_err() && aside.old_result().exists() {
            aside.keep();
        }
        replaced?;
        // The files of the earlier directory are removed next. Until the change is on disk, a loss
        // of power brings that directory back.
        Ok(tree.is_directory() && sync_directory(directory_of(&self.path)).is_ok())
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

/// Whether the first line of a journal was written as a whole. A run that ends before leaves at
/// most a part of it, or zeros after a loss of power. Any other content is not ours to replace.
fn is_begun(journal: &Path) -> bool {
    let mut start = Vec::new();
    match File::open(journal).and_then(|file| file.take(1 << 20).read_to_end(&mut start)) {
        Ok(_) => {
            let is_opening = start.starts_with(OPENING) || OPENING.starts_with(&start);
            let is_cut = !start.contains(&b'\n') && is_opening;
            !is_cut && start.iter().any(|&byte| byte != 0)
        }
        // A journal that cannot be read now may well be one.
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// The beginning of every journal.
const OPENING: &[u8] = b"{\"journal\":";

/// Ignores that a file system cannot sync, which is no reason to stop. Other errors mean that the
/// content is lost.
fn tolerate(synced: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    synced.or_else(|error| if matches!(error.kind(), InvalidInput | Unsupported) { Ok(()) } else { Err(error) })
}

fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
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
    directories.iter().try_for_each(|directory| sync_directory(directory))
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

fn replace_in_steps(new: &Path, path: &Path, old: &Path) -> io::Result<()> {
    let is_directory = path.is_dir() && !path.is_symlink();
    if is_directory {
        fs::rename(path, old)?;
    }
    fs::rename(new, path).inspect_err(|_| {
        // Puts the old result back, before it is removed with the temporary directory.
        let _ = fs::rename(old, path);
    })
}

/// The path of the journal of a result, beside it.
pub fn journal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ENDING);
    PathBuf::from(name)
}

/// The journal that a user means by the path of a journal or of a result.
pub fn journal_meant_by(path: &Path) -> PathBuf {
    let beside = journal_of(path);
    if !path.to_string_lossy().ends_with(ENDING) && beside.is_file() { beside } else { path.to_owned() }
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
        assert!(output.save(&tree(100)).unwrap(), "it is synced");
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
    fn a_journal_without_its_first_line_is_none() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let begun = |content: &[u8]| {
            fs::write(journal_of(&path), content).unwrap();
            is_begun(&journal_of(&path))
        };
        assert!(!begun(b"") && !begun(&[0; 300]) && !begun(b"{\"jour") && !begun(b"{\"journal\":2,\"lap"));
        assert!(begun(b"{\"journal\":2}\n"));
        assert!(begun(b"notes") && begun(b"{}"), "that is a file of the user");
    }

    #[test]
    fn a_result_waits_while_saving_has_taken_too_much_of_the_time() {
        let place = tempfile::tempdir().unwrap();
        let mut output = Output::claim(place.path().join("out"), Existing::Refuse).unwrap();
        let tree = |text: &str| FileTree::file("in", text.as_bytes().to_vec());
        let saved = || fs::read_to_string(place.path().join("out")).unwrap();
        output.offer(&tree("first")).unwrap();
        output.saves = Pace::new(Duration::ZERO, u32::MAX);
        output.saves.spend(|| std::thread::sleep(Duration::from_millis(2)));
        output.offer(&tree("second")).unwrap();
        assert_eq!(saved(), "first");
        output.saves = Pace::new(FREE_SAVES, SHARE_OF_SAVES);
        output.catch_up().unwrap();
        assert_eq!(saved(), "second");
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
