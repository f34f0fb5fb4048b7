//! The scratch directory of one run of Lapidary, and the job directories in it.
//!
//! `$TMPDIR/lapidary-PID-XXXXXX` holds `lock` (locked as long as the run lives), `blobs/`, and for each running test
//! `job-N/`, where the test runs, and `tmp-N/`, its TMPDIR. A run that died without cleaning up leaves a directory
//! whose lock is free; the next run removes it.

use crate::blobs::{BlobStore, Lent};
use crate::candidate;
use crate::reaper::MARKER;
use crate::warden;
use lapidary_reduce::{FileTree, PredicateError};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Scratch {
    path: PathBuf,
    marker: String,
    blobs: BlobStore,
    jobs: AtomicU64,
    /// Closing it unlocks the directory.
    _lock: File,
}

impl Scratch {
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        remove_stale(&parent);
        let prefix = format!("lapidary-{}-", std::process::id());
        let path = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(&parent)?
            .keep();
        // Tests run inside it, and see its real path as their current directory.
        let path = path.canonicalize()?;
        let blobs = BlobStore::new(path.join("blobs"))?;
        Ok(Scratch { marker: marker(&path), blobs, jobs: AtomicU64::new(0), _lock: lock(&path)?, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A fresh directory that holds the candidate under its own name.
    pub fn job(&self, tree: &FileTree) -> Result<Job, PredicateError> {
        let number = self.jobs.fetch_add(1, Ordering::Relaxed);
        let mut job = Job {
            directory: self.path.join(format!("job-{number}")),
            temporary: self.path.join(format!("tmp-{number}")),
            marker: format!("{}/{number}", self.marker),
            lent: Vec::new(),
        };
        for directory in [&job.directory, &job.temporary] {
            fs::DirBuilder::new()
                .mode(0o700)
                .create(directory)
                .map_err(|error| candidate::cannot_write(directory, &error))?;
        }
        job.lent = candidate::write(tree, &job.directory, &self.blobs)?;
        Ok(job)
    }

    /// Takes the job's directory away. True when the test may have seen content that another test had spoilt, or has
    /// spoilt some itself.
    pub fn finish(&self, mut job: Job) -> bool {
        let lent = std::mem::take(&mut job.lent);
        drop(job);
        self.blobs.spoilt(&lent)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Where one test runs. Dropping it removes the directories.
pub struct Job {
    pub directory: PathBuf,
    pub temporary: PathBuf,
    pub marker: String,
    lent: Vec<Lent>,
}

impl Drop for Job {
    fn drop(&mut self) {
        remove(&self.directory);
        remove(&self.temporary);
    }
}

/// With what the markers of all processes of this scratch directory begin.
pub fn marker(scratch: &Path) -> String {
    let name = scratch.file_name().unwrap_or_default().to_string_lossy();
    match std::env::var(MARKER) {
        Ok(outer) => format!("{outer}+{name}"),
        Err(_) => name.into_owned(),
    }
}

/// Removes a directory whatever its permissions are. It is no error if it is gone already; what cannot be removed now
/// is tried again with the whole scratch directory.
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

/// The lock appears under its name only once it is held, so a free lock always means a dead run.
fn lock(scratch: &Path) -> io::Result<File> {
    let unnamed = scratch.join("lock.new");
    let file = File::create_new(&unnamed)?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    fs::rename(unnamed, scratch.join("lock"))?;
    Ok(file)
}

fn remove_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        if let Some(pid) = owner(&path)
            && is_stale(&path, pid)
        {
            warden::clean_up(&path);
        }
    }
}

/// The number in the name of a scratch directory of ours.
fn owner(path: &Path) -> Option<u32> {
    let (pid, _) = path.file_name()?.to_str()?.strip_prefix("lapidary-")?.split_once('-')?;
    let metadata = path.symlink_metadata().ok()?;
    let ours = metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    pid.parse().ok().filter(|_| ours)
}

fn is_stale(path: &Path, pid: u32) -> bool {
    match File::open(path.join("lock")) {
        Ok(lock) => flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => !Path::new(&format!("/proc/{pid}")).exists(),
        Err(_) => false,
    }
}
