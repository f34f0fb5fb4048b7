//! A store that writes big files once if several candidates contain them.
//!
//! The second time content of at least 64 KiB is needed, it is stored as `blobs/HASH`. From then on
//! it is cloned into the candidates (if the file system shares blocks) or hard-linked. A test that
//! writes into a hard link changes what other tests see. So the stored file's stamp is compared
//! after each run. Content that was changed is dropped and handed out as plain copies from then on,
//! and every run that may have seen the change is notified.

use lapidary_reduce::{Blob, Key};
use rustix::fs::{Timespec, Timestamps, futimens, ioctl_ficlone};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// The smallest size worth storing: smaller files are written faster than they are looked up.
pub const BIG: usize = 64 * 1024;

/// When the stored files exceed this size together, all are dropped. Those still in use are stored
/// again.
const CAPACITY: u64 = 1 << 30;

/// Big files that several candidates contain, each written once.
pub struct BlobStore {
    directory: PathBuf,
    state: Mutex<State>,
    clones_work: AtomicBool,
}

#[derive(Default)]
struct State {
    seen: HashSet<Name>,
    stored: HashMap<Name, Arc<Stored>>,
    bytes: u64,
    always_copy: HashSet<Name>,
}

/// The content key, and whether the file is executable, since links share their mode as well.
type Name = (Key, bool);

/// A file that is hard-linked into a running test's directory.
pub struct Lent(Arc<Stored>);

struct Stored {
    name: Name,
    path: PathBuf,
    stamp: Stamp,
    spoilt: AtomicBool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: (i64, i64),
    size: u64,
    mode: u32,
    owner: (u32, u32),
}

impl BlobStore {
    pub fn new(directory: PathBuf) -> io::Result<Self> {
        fs::create_dir(&directory)?;
        Ok(BlobStore { directory, state: Mutex::default(), clones_work: AtomicBool::new(true) })
    }

    /// Creates the file `target` with this content.
    pub fn place(&self, content: &Blob, executable: bool, target: &Path) -> io::Result<Option<Lent>> {
        if content.len() >= BIG
            && let Some(stored) = self.stored(content, executable)
        {
            if self.clone_file(&stored, target) {
                return Ok(None);
            }
            if Stamp::of(&stored.path) == Some(stored.stamp) && fs::hard_link(&stored.path, target).is_ok() {
                return Ok(Some(Lent(stored)));
            }
        }
        write_new(target, content, executable).map(|_| None)
    }

    /// Whether any of these files was changed since it was stored. Changed files are not lent
    /// again.
    pub fn spoilt(&self, lent: &[Lent]) -> bool {
        lent.iter().filter(|lent| self.is_spoilt(&lent.0)).count() > 0
    }

    fn is_spoilt(&self, stored: &Arc<Stored>) -> bool {
        if stored.spoilt.load(Ordering::SeqCst) {
            return true;
        }
        let mut state = self.state();
        let is_current = state.stored.get(&stored.name).is_some_and(|current| Arc::ptr_eq(current, stored));
        if !is_current || Stamp::of(&stored.path) == Some(stored.stamp) {
            return stored.spoilt.load(Ordering::SeqCst);
        }
        stored.spoilt.store(true, Ordering::SeqCst);
        state.stored.remove(&stored.name);
        state.bytes -= stored.stamp.size;
        state.always_copy.insert(stored.name);
        let _ = fs::remove_file(&stored.path);
        true
    }

    /// The stored file of some content, if the content was requested before.
    fn stored(&self, content: &Blob, executable: bool) -> Option<Arc<Stored>> {
        let name = (content.key(), executable);
        let mut state = self.state();
        if state.always_copy.contains(&name) {
            return None;
        }
        if let Some(stored) = state.stored.get(&name) {
            return Some(stored.clone());
        }
        if state.seen.insert(name) {
            return None;
        }
        if state.bytes > CAPACITY {
            state.forget_all();
        }
        // If storing fails, the caller writes the content itself and reports the error.
        let stored = Arc::new(Stored::write(&self.directory, name, content).ok()?);
        state.bytes += stored.stamp.size;
        state.stored.insert(name, stored.clone());
        Some(stored)
    }

    fn clone_file(&self, stored: &Stored, target: &Path) -> bool {
        if !self.clones_work.load(Ordering::Relaxed) {
            return false;
        }
        let cloned = try_clone(stored, target).is_ok();
        if !cloned {
            let _ = fs::remove_file(target);
            self.clones_work.store(false, Ordering::Relaxed);
        }
        cloned
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Removes all stored files. Links in running tests stay valid, because unlinking one name of a
    /// file keeps the others.
    fn forget_all(&mut self) {
        for (_, stored) in self.stored.drain() {
            let _ = fs::remove_file(&stored.path);
        }
        self.bytes = 0;
    }
}

impl Stored {
    fn write(directory: &Path, name: Name, content: &[u8]) -> io::Result<Self> {
        let path = directory.join(format!("{}{}", name.0, if name.1 { ".x" } else { "" }));
        let written = write_new(&path, content, name.1).and_then(|file| set_back(&file));
        let stamp = written.ok().and_then(|()| Stamp::of(&path));
        let Some(stamp) = stamp else {
            let _ = fs::remove_file(&path);
            return Err(io::Error::other("not stored"));
        };
        Ok(Stored { name, path, stamp, spoilt: AtomicBool::new(false) })
    }
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = path.symlink_metadata().ok()?;
        Some(Stamp {
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            size: metadata.size(),
            mode: metadata.mode(),
            owner: (metadata.uid(), metadata.gid()),
        })
    }
}

/// Writes a file that must not exist yet, so that it never writes through a link.
fn write_new(path: &Path, content: &[u8], executable: bool) -> io::Result<File> {
    let mode = if executable { 0o777 } else { 0o666 };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(content)?;
    Ok(file)
}

/// Sets the modification time one second back. File times have a resolution of milliseconds, so
/// this makes every later write change the stamp.
fn set_back(file: &File) -> io::Result<()> {
    let past = SystemTime::now() - Duration::from_secs(1);
    let past = past.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let time = Timespec { tv_sec: past.as_secs() as i64, tv_nsec: past.subsec_nanos().into() };
    Ok(futimens(file, &Timestamps { last_access: time, last_modification: time })?)
}

fn try_clone(stored: &Stored, target: &Path) -> io::Result<()> {
    let source = File::open(&stored.path)?;
    let file = OpenOptions::new().write(true).create_new(true).mode(stored.stamp.mode & 0o777).open(target)?;
    Ok(ioctl_ficlone(&file, &source)?)
}
