//! The scratch directory of one run of Lapidary, and the job directories in it.
//!
//! `$TMPDIR/lapidary-PID-XXXXXX` holds `lock` (locked as long as the run lives), `blobs/`,
//! `trash/`, and for each running test `job-N/`, where the test runs, and `tmp-N/`, its TMPDIR. A
//! run that died without cleaning up leaves a directory whose lock is free; the warden removes it,
//! or else the next run. The warden starts before the directory exists, so that no moment is left
//! in which a kill would leave something that nobody knows to be ours.
//!
//! Invariant: a directory is removed only if its lock file says that it is ours, whatever its name.
//!
//! Removing a directory can take milliseconds, longer than a test. So the two directories of a test
//! are emptied and reused, unless the test replaced them or changed their permissions, and entries
//! that are not plain files go to the trash.

use crate::blobs::{BlobStore, Lent};
use crate::candidate;
use crate::reaper::MARKER;
use crate::trash::Trash;
use crate::warden::{self, Warden};
use lapidary_common::own;
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// A directory that holds a directory for each candidate. It is removed when this is dropped.
pub struct Scratch {
    path: PathBuf,
    marker: String,
    blobs: BlobStore,
    jobs: AtomicU64,
    free: Mutex<Vec<Place>>,
    trash: Trash,
    /// Closing it unlocks the directory.
    _lock: File,
    /// Declared last and so dropped last: the warden is needed until the directory is gone.
    _warden: Option<Warden>,
}

/// Why there is no scratch directory.
#[derive(Debug, Error)]
pub enum ScratchError {
    /// The directory cannot be created.
    #[error("cannot make a scratch directory in {0}: {1}; set TMPDIR to a directory that can be written")]
    Directory(PathBuf, io::Error),
    /// The process that cleans up after a kill cannot be started.
    #[error("cannot start the helper process that cleans up after a kill: {0}")]
    Warden(io::Error),
}

impl Scratch {
    /// Creates the directory in the system's directory for temporary files.
    pub fn new() -> Result<Self, ScratchError> {
        let parent = std::env::temp_dir();
        remove_stale(&parent);
        let failed = |error| ScratchError::Directory(parent.clone(), error);
        // Tests run inside it and see its real path as their current directory.
        let real = parent.canonicalize().map_err(failed)?;
        let prefix = format!("lapidary-{}-", std::process::id());
        let mut no_warden = None;
        let made = tempfile::Builder::new().prefix(&prefix).make_in(&real, |path| {
            let warden = warden::available().then(|| warden::start(path)).transpose();
            let warden = warden.map_err(|error| io::Error::other(no_warden.insert(error).to_string()))?;
            Scratch::at(path, warden)
        });
        let made = made.map_err(|error| no_warden.map_or_else(|| failed(error), ScratchError::Warden))?;
        // It removes itself.
        Ok(made.keep().map_err(|error| failed(error.error))?.0)
    }

    fn at(path: &Path, warden: Option<Warden>) -> io::Result<Self> {
        fs::DirBuilder::new().mode(0o700).create(path)?;
        Scratch::inside(path.to_owned(), warden).inspect_err(|_| remove(path))
    }

    fn inside(path: PathBuf, warden: Option<Warden>) -> io::Result<Self> {
        // The lock comes first: a directory without it is never removed by another run.
        let lock = lock(&path)?;
        Ok(Scratch {
            marker: marker(&path),
            blobs: BlobStore::new(path.join("blobs"))?,
            jobs: AtomicU64::new(0),
            free: Mutex::default(),
            trash: Trash::new(path.join("trash"))?,
            _lock: lock,
            path,
            _warden: warden,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a fresh directory with the candidate under its own name. Writing many files takes
    /// long, so it ends when `cancel` fires.
    pub fn job(self: &Arc<Self>, tree: &FileTree, cancel: &Cancel) -> Result<Job, PredicateError> {
        match self.try_job(tree, cancel) {
            // Emptying the trash may free enough space.
            Err(PredicateError::Fatal(_)) if self.trash.empty() => self.try_job(tree, cancel),
            result => result,
        }
    }

    fn try_job(self: &Arc<Self>, tree: &FileTree, cancel: &Cancel) -> Result<Job, PredicateError> {
        let mut job = self.empty_job()?;
        job.lent = candidate::write(tree, job.directory(), &self.blobs, cancel)?;
        Ok(job)
    }

    /// Creates a fresh, empty directory.
    pub fn empty_job(self: &Arc<Self>) -> Result<Job, PredicateError> {
        let number = self.jobs.fetch_add(1, Ordering::Relaxed);
        let place = self.place(number).map_err(|error| candidate::cannot_write(&self.path, &error))?;
        let marker = format!("{}/{number}", self.marker);
        Ok(Job { place, marker, lent: Vec::new(), scratch: self.clone() })
    }

    fn place(&self, number: u64) -> io::Result<Place> {
        let unused = self.free().pop();
        unused.map_or_else(|| Place::new(&self.path, number), Ok)
    }

    fn free(&self) -> MutexGuard<'_, Vec<Place>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.trash.close();
        remove_all(&self.path);
    }
}

/// The directories of one running test. Dropping it removes the test's files.
pub struct Job {
    place: Place,
    /// A text in the environment of every process of the job, which identifies them.
    pub marker: String,
    lent: Vec<Lent>,
    scratch: Arc<Scratch>,
}

impl Job {
    /// The directory that holds the candidate.
    pub fn directory(&self) -> &Path {
        &self.place.directory.path
    }

    /// The directory for temporary files of the test.
    pub fn temporary(&self) -> &Path {
        &self.place.temporary.path
    }

    /// Whether the test may have seen shared content that a test had changed, or has changed some
    /// itself.
    pub fn saw_spoilt_content(&self) -> bool {
        self.scratch.blobs.spoilt(&self.lent)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let parts = [&self.place.directory, &self.place.temporary];
        if parts.map(|part| part.clear(&self.scratch.trash)) == [true, true] {
            self.scratch.free().push(self.place.clone());
        }
    }
}

/// The two directories of a test.
#[derive(Clone)]
struct Place {
    directory: Reusable,
    temporary: Reusable,
}

impl Place {
    fn new(scratch: &Path, number: u64) -> io::Result<Self> {
        let make = |name| Reusable::new(scratch.join(format!("{name}-{number}")));
        Ok(Place { directory: make("job")?, temporary: make("tmp")? })
    }
}

/// A directory that can be reused unless the test replaced it or changed its permissions.
#[derive(Clone)]
struct Reusable {
    path: PathBuf,
    identity: Identity,
}

type Identity = (u64, u64, u32, u32, u32);

impl Reusable {
    fn new(path: PathBuf) -> io::Result<Self> {
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Reusable { identity: identity(&path)?, path })
    }

    /// Empties the directory. If it cannot be reused, removes it and returns false.
    fn clear(&self, trash: &Trash) -> bool {
        let intact = identity(&self.path).is_ok_and(|identity| identity == self.identity);
        if intact && self.clear_entries(trash).is_ok() {
            return true;
        }
        trash.take(&self.path);
        false
    }

    fn clear_entries(&self, trash: &Trash) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => trash.take(&entry.path()),
                false => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    let metadata = path.symlink_metadata()?;
    Ok((metadata.dev(), metadata.ino(), metadata.mode(), metadata.uid(), metadata.gid()))
}

/// The common prefix of the markers of all processes of a scratch directory.
pub fn marker(scratch: &Path) -> String {
    let name = name(scratch);
    match std::env::var(MARKER) {
        Ok(outer) => format!("{outer}+{name}"),
        Err(_) => name,
    }
}

/// Removes a directory whatever its permissions are, if it exists. Anything that cannot be removed
/// now is tried again with the whole scratch directory.
pub fn remove(directory: &Path) {
    let gone = |result: io::Result<()>| !result.is_err_and(|error| error.kind() != io::ErrorKind::NotFound);
    if !gone(fs::remove_dir_all(directory)) {
        make_accessible(directory);
        let _ = fs::remove_dir_all(directory);
    }
}

fn make_accessible(directory: &Path) {
    if !directory.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return;
    }
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        make_accessible(&entry.path());
    }
}

/// Removes a scratch directory that a run left. One that does not have its lock yet holds at most
/// the beginning of it.
pub fn remove_if_ours(directory: &Path) {
    if is_ours(directory) {
        return remove_all(directory);
    }
    let unnamed = directory.join(UNNAMED_LOCK);
    let is_beginning = |text: Vec<u8>| own::label(&name(directory)).as_bytes().starts_with(&text);
    if fs::read(&unnamed).is_ok_and(is_beginning) {
        let _ = fs::remove_file(unnamed);
    }
    // This removes only an empty directory.
    let _ = fs::remove_dir(directory);
}

/// Removes a scratch directory. The lock goes last, because until then it says whose directory this
/// is, if the removal is cut short.
fn remove_all(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name() != LOCK && fs::remove_file(entry.path()).is_err() {
            remove(&entry.path());
        }
    }
    remove(directory);
}

const LOCK: &str = "lock";
/// The lock before it is held.
const UNNAMED_LOCK: &str = "lock.new";

/// Creates and takes the lock. It appears under its name only when it is held, so a free lock
/// always means a dead run.
fn lock(scratch: &Path) -> io::Result<File> {
    let unnamed = scratch.join(UNNAMED_LOCK);
    let mut file = File::create_new(&unnamed)?;
    file.write_all(own::label(&name(scratch)).as_bytes())?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    fs::rename(unnamed, scratch.join(LOCK))?;
    Ok(file)
}

fn remove_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        if is_ours(&path) && is_stale(&path) {
            warden::clean_up(&path);
        }
    }
}

/// Whether this is a scratch directory that a run of this user made.
fn is_ours(path: &Path) -> bool {
    let name = name(path);
    let is_own = |found: fs::Metadata| found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
    name.starts_with("lapidary-")
        && path.symlink_metadata().is_ok_and(is_own)
        && own::is_labelled(&path.join(LOCK), &name)
}

fn is_stale(path: &Path) -> bool {
    let is_free = |lock: File| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
    File::open(path.join(LOCK)).is_ok_and(is_free)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_killed_run_left_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let label = |name: &str| own::label(name);
        let directory = |name: &str, files: &[(&str, String)]| {
            let directory = place.path().join(name);
            fs::create_dir(&directory).unwrap();
            files.iter().for_each(|(file, text)| fs::write(directory.join(file), text).unwrap());
            remove_if_ours(&directory);
            directory.exists()
        };
        assert!(!directory("lapidary-1-aaaaaa", &[(LOCK, label("lapidary-1-aaaaaa")), ("x", String::new())]));
        assert!(!directory("lapidary-1-bbbbbb", &[]), "killed before there was a lock");
        assert!(!directory("lapidary-1-cccccc", &[(UNNAMED_LOCK, label("lapidary-1-cccccc")[..5].to_owned())]));
        assert!(directory("lapidary-1-dddddd", &[("x", String::new())]), "of the user");
        assert!(directory("lapidary-1-eeeeee", &[(UNNAMED_LOCK, "notes".to_owned())]), "of the user");
    }
}
